import { sentencesOf, type Sentence } from './sentences-of-request.ts';
import { topicOf } from './topic.ts';
import { isLimitOnly } from './limits.ts';
import { isFormWish } from './output-wishes.ts';

export const MAX_QUESTIONS = 8;
/** The contract's own limit for one question. */
const MAX_QUESTION_CHARS = 2000;
/** Background before a question helps to find pages up to about here; more of it drowns the question. */
const MAX_CONTEXT_CHARS = 300;
/** An order this long in one Chinese sentence holds several things to find out. */
const LONG_CHINESE_ORDER = 50;

const POINTS_BACK =
  /^(?:那么|那)?.{0,6}(?:这|该|其(?:中|他)?|它|他们|上述|此类|以上)|\b(?:this|these|those|they|them|its?|their|such|each)\b/iu;
const NEXT_ORDER =
  /[，,；;](?=(?:并且|并|同时|以及|最后|再|然后|还要|另外)?(?:请)?(?:为我|帮我|给我)?(?:横向|重点|分别|详细)?(?:比较|对比|分析|评估|预测|总结|列举|列出|给出|归纳|探讨|研究得出|说明|提出|推荐))/u;

/**
 * One to eight questions that can be looked up by themselves: each question mark, order and list member is one.
 * Nothing is ever cut inside a sentence; where there are more than eight, neighbours are put together.
 */
export function splitQuestions(text: string): string[] {
  const sentences = sentencesOf(text);
  const topic = topicOf(sentences);
  const asked = gather(
    sentences.flatMap((sentence) => unfold(sentence)),
    topic,
  );
  const questions = [...new Set(asked)].filter((question) => question.length <= MAX_QUESTION_CHARS);
  if (questions.length === 0) return [[...text.trim()].slice(0, MAX_QUESTION_CHARS).join('')];
  return joinNeighbours(questions);
}

/** A clause too short to say what it is about stays with the next one: “给我一份报告，分析…”. */
const SHORT_CLAUSE = 16;

function unfold(sentence: Sentence): Sentence[] {
  if (sentence.kind !== 'order' || [...sentence.text].length < LONG_CHINESE_ORDER) return [sentence];
  const clauses: string[] = [];
  let rest = sentence.text;
  for (let cut = NEXT_ORDER.exec(rest); cut !== null; cut = NEXT_ORDER.exec(rest)) {
    const at = cut.index + 1;
    clauses.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  clauses.push(rest);
  const whole = clauses.reduce<string[]>((kept, clause) => {
    const last = kept.at(-1);
    const isShort = last !== undefined && [...last].length < SHORT_CLAUSE;
    return isShort ? [...kept.slice(0, -1), `${last}${clause}`] : [...kept, clause];
  }, []);
  return whole.map((clause) => ({ text: bareClause(clause), kind: 'order' }));
}

const bareClause = (clause: string): string =>
  clause.replace(/^(?:并且|并|同时|以及|再|然后)(?=\S)/u, '').replace(/[，,；;]$/u, '');

function gather(sentences: readonly Sentence[], topic: string | null): string[] {
  const questions: string[] = [];
  let context: string[] = [];
  let before = '';
  for (const { text, kind } of sentences) {
    if (isLimitOnly(text) || isFormWish(text)) continue;
    const last = questions.at(-1);
    if (kind === 'context') {
      context.push(text);
    } else if (kind === 'coverage' && last !== undefined && last.length + text.length <= MAX_CONTEXT_CHARS * 2) {
      questions[questions.length - 1] = join([last, text]);
    } else {
      const alone = context.length > 0 ? text : selfContained(text, topic, before);
      questions.push(join([...nearest(context), alone]));
      context = [];
      before = text;
    }
  }
  if (context.length === 0) return questions;
  // What follows the last question is said about it, unless there is none.
  if (questions.length === 0) return inPieces(context);
  const last = questions.at(-1) ?? '';
  const tail = context.filter((text) => last.length + text.length <= MAX_CONTEXT_CHARS * 2);
  questions[questions.length - 1] = join([last, ...tail.slice(0, 1)]);
  return questions;
}

/** A later question that only points back gets what it points at: the topic, else the question before it. */
function selfContained(text: string, topic: string | null, before: string): string {
  if (before === '' || (topic !== null && text.includes(topic))) return text;
  const isChinese = /\p{Script=Han}/u.test(text);
  const isFragment = isChinese && !/[？?]$/u.test(text) && [...text].length < LONG_CHINESE_ORDER;
  if (!isFragment && !POINTS_BACK.test(text)) return text;
  if (topic !== null) return isChinese ? `${topic}：${text}` : `${topic}: ${text}`;
  return isFragment || before.length > MAX_CONTEXT_CHARS ? text : join([before, text]);
}

/** The sentences right before a question, whole ones, as many as help. */
function nearest(context: readonly string[]): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const text of context.toReversed()) {
    length += text.length;
    if (length > MAX_CONTEXT_CHARS && (kept.length > 0 || text.length > MAX_CONTEXT_CHARS)) break;
    kept.unshift(text);
  }
  return kept;
}

/** A request that asks nothing in so many words: its sentences, put together as long as they stay short. */
function inPieces(sentences: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const text of sentences) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + text.length <= MAX_CONTEXT_CHARS)
      pieces[pieces.length - 1] = join([last, text]);
    else pieces.push(text);
  }
  return pieces;
}

function joinNeighbours(questions: readonly string[]): string[] {
  const joined = [...questions];
  while (joined.length > MAX_QUESTIONS) {
    const lengths = joined.slice(1).map((question, index) => question.length + (joined[index]?.length ?? 0));
    const at = lengths.indexOf(Math.min(...lengths));
    const both = join(joined.slice(at, at + 2));
    if (both.length > MAX_QUESTION_CHARS) return joined.slice(0, MAX_QUESTIONS);
    joined.splice(at, 2, both);
  }
  return joined;
}

const join = (parts: readonly string[]): string =>
  parts.reduce((text, part) => (text === '' || /[。！？；]$/u.test(text) ? `${text}${part}` : `${text} ${part}`), '');
