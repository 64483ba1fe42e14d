import { splitSentences } from '#contracts/text/sentences.ts';

export type SentenceKind = 'question' | 'order' | 'coverage' | 'context';
export type Sentence = { readonly text: string; readonly kind: SentenceKind };

/** “Write a report: …” says what to make, not what to find out. */
const MAKING =
  /^\s*(?:(?:please\s+)?(?:write|give|make|prepare|create|compile)\b[^:：?？\n]{0,60}|(?:请)?(?:帮我)?(?:写|做|给出|生成|整理)[^:：?？\n]{0,30})[:：]\s*(?=\S)/iu;
const LIST_MARK = /^\s*(?:\(?\d{1,2}[.)、）]|[-*•])\s*/u;

const ENGLISH_LEAD =
  "(?:(?:please|kindly|also|finally|then|next|first|additionally|furthermore|moreover|in addition|could you|can you|would you|i would like(?: you)? to|i(?:'d| would) like|i want(?: you)? to|i need(?: you)? to|i need|help me(?: to)?|acting as [^,]{3,120}|as an? [^,]{3,120}|for [^,]{3,160}|specifically|i'm also interested in)[,\\s]+)*";
const ENGLISH_VERB =
  '(?:research(?:ing)?|analy[sz](?:e|ing)|compar(?:e|ing)|investigat(?:e|ing)|explor(?:e|ing)|examin(?:e|ing)|summari[sz]e|list|identify|find|collect|gather|evaluate|assess|trace|explain|elaborate|describe|outline|review|study|conduct|provide|develop|write|prepare|draft|create|produce|discuss|predict|forecast|propose|recommend|calculate|estimate|give|refine|optimi[sz]e|categori[sz]e|tell|show|track|map|build|assistance|understanding|a detailed|you could|survey|look (?:up|into))';
const ENGLISH_ORDER = new RegExp(`^${ENGLISH_LEAD}${ENGLISH_VERB}\\b`, 'iu');
const ENGLISH_QUESTION =
  /^(?:so,?\s+|and\s+|but\s+|furthermore,\s+|additionally,\s+|in \w+,\s+)?(?:what|how|why|which|who|whose|when|where|is|are|was|were|do|does|did|can|could|should|will|would|has|have)\b(?!\s+you\b)/iu;
const ENGLISH_COVERAGE =
  /^(?:cover|include|focus on|ensure|make sure|consider(?:ing)?|conclude|for each|please (?:ensure|make sure|include|cover|provide relevant)|(?:the|this|these|your|my)\s+(?:\w+\s+){0,3}?(?:should|must|needs? to)\b|objective:|requirements?:)/iu;

const CHINESE_LEAD =
  '(?:请|麻烦|能否|能不能|可否|你|我想|我需要|想要|需要|帮我|为我|给我|替我|帮忙|首先|其次|最后|另外|此外|同时|然后|并且|并|再|进一步|更进一步|在此基础上|分别|详细|重点|横向|全面|系统|地|，|,|\\s)*';
const CHINESE_VERB =
  '(?:收集|整理|调研|调查|研究|分析|比较|对比|评估|总结|列举|列出|梳理|预测|给出|提供|探讨|介绍|说明|撰写|写|归纳|整合|学习|解释|考察|统计|盘点|制定|设计|结合|查找|查询|搜集|推荐|采集|抓取)';
const CHINESE_ORDER = new RegExp(`^${CHINESE_LEAD}${CHINESE_VERB}`, 'u');
const CHINESE_QUESTION =
  /什么|如何|怎么|怎样|哪些|哪个|哪一|哪几|哪里|为何|是否|多少|多大|有没有|能否|能不能|可不可以|吗[。！]?$|呢[。！]?$/u;
const CHINESE_COVERAGE =
  /^(?:注意|要求|请?(?:需要|务必|必须|应当|应该|应)?(?:包括|包含|涵盖|覆盖|考虑|注意)|必须|从以下|也可以|不要|仅|只(?:使用|用|看|要)|分类要)/u;

/** The request as sentences, none of them cut, each with what it is for. List numbers go, they only count. */
export function sentencesOf(text: string): Sentence[] {
  const bare = text
    .trim()
    .replace(/^["“”'「]+|["”」]+$/gu, '')
    .replace(MAKING, '');
  return blocksOf(bare).flatMap(({ text: block, isListed }) => {
    const sentences = splitSentences(block)
      .map(({ start, end }) => block.slice(start, end))
      .flatMap((sentence) => sentence.split(/(?<=[?？])\s*(?=[\p{L}\p{N}])/u))
      .map((sentence) => sentence.replace(/\s+/gu, ' ').trim())
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
    return sentences.map((sentence, index) => ({ text: sentence, kind: kindOf(sentence, isListed && index === 0) }));
  });
}

/** A member of a list is something to find out, even as a bare phrase; what leads into a list is not. */
function kindOf(sentence: string, isListed: boolean): SentenceKind {
  if (/[?？]["”’」』）)]*$/u.test(sentence)) return 'question';
  if (/[:：]$/u.test(sentence)) return 'context';
  if (ENGLISH_COVERAGE.test(sentence) || CHINESE_COVERAGE.test(sentence)) return 'coverage';
  if (ENGLISH_ORDER.test(sentence) || CHINESE_ORDER.test(sentence)) return 'order';
  if (ENGLISH_QUESTION.test(sentence)) return 'question';
  if (/\p{Script=Han}/u.test(sentence) && CHINESE_QUESTION.test(sentence)) return 'question';
  return isListed ? 'order' : 'context';
}

type Block = { readonly text: string; readonly isListed: boolean };

/** Paragraphs and members of lists. A line that only wraps stays with the one before it. */
function blocksOf(text: string): Block[] {
  return text
    .split(/\n{2,}|\n(?=\s*(?:\(?\d{1,2}[.)、）]|[-*•]))|(?<=[.。!！?？:：;；)）])[ \t]*\n/u)
    .flatMap(splitInlineList)
    .map((block) => ({
      text: block.replace(LIST_MARK, ''),
      isListed: LIST_MARK.test(block) || SPOKEN_MARK.test(block),
    }));
}

const SPOKEN_MARK = /^[一二三四五六七八九]是/u;

/** “…: 1) a; 2) b” and “一是甲；二是乙”: only marks that really count up from one divide. */
function splitInlineList(block: string): string[] {
  const cuts: number[] = [];
  let wanted = 1;
  for (const mark of block.matchAll(/(?<![\d.])(\d{1,2})[.)、）](?!\d)|(?<=[：:；;，,])([一二三四五六七八九])是/gu)) {
    const number = mark[1] === undefined ? '一二三四五六七八九'.indexOf(mark[2] ?? '') + 1 : Number(mark[1]);
    if (number !== wanted) continue;
    cuts.push(mark.index);
    wanted += 1;
  }
  if (cuts.length < 2) return [block];
  return [0, ...cuts].map((from, index) => block.slice(from, cuts[index] ?? block.length).trim());
}
