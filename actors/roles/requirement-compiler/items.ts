import { unique } from './scope-words.ts';

const MAX_NAME = 60;
const NAME = "[A-Z][\\w.+#&'’-]*(?: (?:(?:of|the|de|von|van) )?[A-Z0-9][\\w.+#&'’-]*){0,4}";
const ENGLISH_LIST = new RegExp(`(?<![\\w.-])(${NAME}(?:, ${NAME})+,? (?:and|or|vs\\.?) ${NAME})`, 'gu');
const ENGLISH_PAIR =
  /\b(?:compare|comparison (?:of|between)|differences? between|choose between|difference (?:of|between))\s+(?:the\s+)?([^.?!;:\n]{3,160}?)(?=$|[.?!;:\n]|\s+(?:in terms of|with respect to|regarding|on|for|by|when|across|based on)\b)/giu;
const VERSUS =
  /(?:^|[\s:])([\w.+#-]+(?: [\w.+#-]+){0,2}) (?:vs\.?|versus) ([\w.+#-]+(?: [\w.+#-]+){0,2}?)(?=$|[\s.?!,;:])/giu;

const CHINESE_COMPARED =
  /(?:比较|对比)(?:一下)?(?!想|好|常|容易|简单|多|少|大|小|强|感)([^，。；？！,;?!\n的]{2,80})/gu;
const CHINESE_PAIR =
  /([\p{L}\p{N}《》·.+#-]{1,20}(?:、[\p{L}\p{N}《》·.+#-]{1,20})*(?:和|与|跟|及)[\p{L}\p{N}《》·.+#-]{1,20}?)(?:之间)?的?(?:有什么|有何|有哪些)?(?:的)?(?:区别|差异|异同|对比|比较|不同)/gu;
const QUOTED = /《([^》\n]{1,60})》/gu;
/** Examples bound nothing. */
const EXAMPLE_BEFORE = /(?:e\.g\.|such as|like|for example|for instance|including|i\.e\.)[^.?!;\n]{0,200}$/iu;
/** What stands for objects without naming any, and what is a matter rather than an object. */
const NO_NAME =
  /^(?:the|these|those|them|this|that|it|its|their|both|each|various|different|several|two|three|all|how|what|which|you|he|she|we)\b|^(?:各|两|几|多|不同|这|那|其|它|他|它们|这些|相关|国内|国外|过往|目前|横向|分析)/iu;

/** Objects that a request names one by one, in its own spelling. */
export function findItems(text: string): string[] {
  const listed = [...text.matchAll(ENGLISH_LIST)]
    .filter((match) => !isExample(text, match.index))
    .map((match) => match[1]);
  const compared = [...text.matchAll(ENGLISH_PAIR), ...text.matchAll(CHINESE_PAIR), ...text.matchAll(CHINESE_COMPARED)]
    .filter((match) => !isExample(text, match.index))
    .map((match) => match[1]);
  const versus = [...text.matchAll(VERSUS)].flatMap((match) => [match[1] ?? '', match[2] ?? '']);
  const lists = [...compared, ...listed].map((list) => namesOf(list ?? '')).filter((names) => names.length > 1);
  const quoted = [...text.matchAll(QUOTED)].map((match) => match[1] ?? '');
  const all = unique([...lists.flat(), ...versus.filter(isName), ...quoted]);
  return all
    .filter((name) => !all.some((other) => other !== name && name.length < other.length && other.includes(name)))
    .slice(0, 500);
}

const isExample = (text: string, at: number): boolean =>
  EXAMPLE_BEFORE.test(text.slice(Math.max(0, at - 220), at + 12));

function namesOf(list: string): string[] {
  const names = list
    .split(
      /,\s*(?:and|or)\s+|[,、]\s*|\s+(?:and|or|with|to|vs\.?|versus)\s+|(?<=[\p{L}\p{N}》])\s*(?:和|与|跟|及|以及)\s*(?=[\p{L}\p{N}《])/u,
    )
    .map((name) => name.trim().replace(/^(?:the|an?)\s+/iu, ''))
    .filter((name) => name !== '');
  // A list is names only: one member that is none makes it a sentence.
  return names.every(isName) ? names : [];
}

function isName(name: string): boolean {
  if (name.length > MAX_NAME || NO_NAME.test(name)) return false;
  if (/\p{Script=Han}/u.test(name)) return [...name].length <= 14;
  return name.split(/\s+/u).length <= 5;
}
