import type { Sentence } from './sentences-of-request.ts';

const MAX_CHINESE = 40;
const MAX_ENGLISH = 90;

const CHINESE_OPENING =
  /^(?:请|麻烦|能否|能不能|你|我想(?:要|了解)?|需要|帮我|为我|给我|详细|系统|全面|横向|一下|下|目前|当前|现在|有关|关于|收集|整理|搜集|调研|调查|研究|分析|比较|对比|总结|列举|列出|梳理|探讨|介绍|说明|撰写|写|归纳|整合|采集|抓取|选题[：:]|调研问题[：:]|一份|详尽|的报告|针对|近几年|如何|怎样|怎么|和|与|\s)+/u;
const CHINESE_ENDING =
  /(?:的)?(?:相关)?(?:资料|情况|研究成果|研究|报告|问题|现状与未来趋势|现状|方案|是什么|是多少|有哪些|怎么样|如何)*[？?。]*$/u;
/** Circumstances, speakers, what points elsewhere: words that open a sentence and name nothing. */
const NO_TOPIC =
  /^(?:在|而且|但|我|你|现在|这|该|其|它|然|因|有|什么|为什么|随着|对于|作为|提供|以|[一二三四五六七八九]是)|这些|一份|^[\d年月日代至今\s—-]+$|(?:情况下|范围内|行业中|这么热门)$/u;
const ENGLISH_OPENING =
  /^(?:(?:please|could you|can you|i would like|i need|help me|acting as [^,]{3,120},|as an? [^,]{3,120},)\s*)*(?:(?:provide|write|conduct|prepare|draft|create|produce|give)\s+(?:me\s+)?(?:an?\s+)?(?:[\w-]+,?\s+){0,4}?(?:report|review|paper|analysis|study|research|overview|explanation|notes|information)\s+(?:on|of|about|for|analyzing|exploring)\s+|(?:research(?:ing)?|analy[sz]e|compare|investigate|explor(?:e|ing)|examine|summari[sz]e|trace|explain|describe|outline|review|study|list|find|collect)(?:\s+(?:and|or)\s+\w+)?\s+|(?:what|which|who)\s+(?:is|are|was|were)\s+)(?:for me\s+|on\s+|into\s+|the\s+|an?\s+|all\s+|current\s+|recent\s+)*/iu;

/** What the request is about, in its own words; null when they do not make a short phrase. */
export function topicOf(sentences: readonly Sentence[]): string | null {
  const main = sentences.find(({ kind }) => kind === 'order' || kind === 'question') ?? sentences[0];
  if (main === undefined) return null;
  return /\p{Script=Han}/u.test(main.text) ? chineseTopic(main.text) : englishTopic(main.text);
}

function chineseTopic(sentence: string): string | null {
  const clause = sentence.replace(CHINESE_OPENING, '').split(/[，,。；;？?！!：:（(]/u)[0] ?? '';
  const topic = clause.replace(CHINESE_ENDING, '').trim();
  const length = [...topic].length;
  return length < 4 || length > MAX_CHINESE || NO_TOPIC.test(topic) ? null : topic;
}

function englishTopic(sentence: string): string | null {
  const opened = sentence.replace(ENGLISH_OPENING, '');
  if (opened === sentence) return null;
  const topic = (opened.split(/[.,;:?!(]|\s(?:so that|in order to|which)\s/u)[0] ?? '').trim();
  const isPhrase = /\s/u.test(topic) && !/^(?:how|why|what|whether|if)\b/iu.test(topic);
  return topic.length > MAX_ENGLISH || !isPhrase ? null : topic;
}
