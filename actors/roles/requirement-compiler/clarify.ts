import type { Language } from '#contracts/ids.ts';
import type { Clarification } from '#contracts/research/clarification.ts';
import { plainField } from '#contracts/research/spoken-value.ts';
import type { TaskSpec } from '#contracts/research/task-spec.ts';

/** Objects are spoken of, none is named: “compare the two options”, “比较两个场馆”. */
const UNNAMED =
  /\bcompar(?:e|ing|ison of)\s+(?:the|these|those|my|our)?\s*(?:two|three|both|following)?\s*(?:options?|products?|venues?|ones|plans?|vendors?|companies|tools?|candidates?|offers?)\b(?!\s+(?:of|from|in|that|which|for))|\bwhich (?:one|of (?:them|these|those|the two)) is (?:better|best|cheaper)\b|(?:比较|对比)(?:一下)?(?:这|那)?(?:两|三|几)(?:个|家|款|种|座)[^，。；、和与]{1,6}(?:的|$|[，。])|^(?:这|那)(?:两|几)个(?:哪个|谁)更?好/iu;
/** A subject that stands for something said elsewhere. */
const BARE_PRONOUN =
  /^(?:please\s+)?(?:research|investigate|analy[sz]e|look into|find out about|tell me about|compare)\s+(?:it|this|that|them|these|those)[.!?]?$|^(?:how|what|when|where|why)(?: \w+)? (?:is|are|was|were|does|did) (?:it|this|that|they)(?:\s+\w+)?[?.]?$|^(?:请|帮我)?(?:研究|调研|分析|查|查查|了解|对比|比较)(?:一下|下)?(?:它|这个|那个|这些|它们|这|那)[。！？?]*$/iu;
/** “采集博物馆讲解”: a kind of thing without any bound. */
const UNBOUNDED =
  /^(?:请|帮我|为我)?(?:采集|抓取|爬取|收集)[\p{Script=Han}]{2,14}(?:，|。|$)|^(?:please\s+)?(?:scrape|collect|gather)\s+(?:all\s+)?[\w-]+(?:\s+[\w-]+){0,2}[.!]?$/iu;

type Words = Readonly<Record<'whichItems' | 'whatSubject' | 'whichBounds' | 'whichFields', string>> & {
  readonly asFound: string;
  readonly asWritten: string;
  readonly noBounds: string;
  readonly plainFields: string;
  readonly fieldNames: readonly [string, string, string];
};

const english: Words = {
  whichItems: 'Which ones exactly should be compared? Please name them.',
  asFound: 'Whatever the search finds for the words as they are',
  whatSubject: 'What is this about? Please name the subject.',
  asWritten: 'Search for the words as they are',
  whichBounds: 'Which objects, or which place, should this be limited to?',
  noBounds: 'The best known ones that the search finds first',
  whichFields: 'Which columns should the table have?',
  plainFields: 'Name, short description, web address',
  fieldNames: ['name', 'description', 'web address'],
};
const chinese: Words = {
  whichItems: '要比较的具体是哪几个？请写出名称。',
  asFound: '按原话搜索，以找到的为准',
  whatSubject: '这里指的是什么？请写出对象。',
  asWritten: '按原话搜索',
  whichBounds: '限定在哪些对象或哪个地区？',
  noBounds: '搜索最先找到的、较知名的对象',
  whichFields: '表格需要哪些列？',
  plainFields: '名称、简要说明、网址',
  fieldNames: ['名称', '简要说明', '网址'],
};

/** Key conditions that are missing, all of them at once; a clear request has none. Each can be left to the platform. */
export function clarify(spec: TaskSpec, language: Language): Clarification[] {
  const words = language === 'zh-CN' ? chinese : english;
  const { scope, output, mode, requirement_text } = spec;
  const said = requirement_text.trim();
  const isOpen = scope.items.length === 0 && scope.known_urls.length === 0;
  const asked: Clarification[] = [];
  if (isOpen && BARE_PRONOUN.test(said)) {
    asked.push(open('subject', '/scope/topics', words.whatSubject, scope.topics, words.asWritten));
  } else if (isOpen && UNNAMED.test(said)) {
    asked.push(open('items', '/scope/items', words.whichItems, [], words.asFound));
  } else if (isOpen && scope.region === null && UNBOUNDED.test(said)) {
    asked.push(open('bounds', '/scope/items', words.whichBounds, [], words.noBounds));
  }
  const hasRows = mode === 'dataset' || mode === 'hybrid';
  if (hasRows && output.fields.length === 0) {
    const fields = words.fieldNames.map((name, index) => ({ ...plainField(name), type: index === 2 ? 'url' : 'text' }));
    asked.push({
      ...open('fields', '/output/fields', words.whichFields, fields, words.plainFields),
      options: [{ value: fields, label: words.plainFields }],
      default_origin: 'template',
    });
  }
  return asked;
}

function open(
  id: string,
  pointer: string,
  question: string,
  otherwise: Clarification['default'],
  label: string,
): Clarification {
  return {
    clarification_id: id,
    pointer,
    question,
    options: [],
    default: otherwise,
    default_label: label,
    default_origin: 'inferred_awaiting_confirmation',
  };
}
