import type { TaskSpec } from '#contracts/research/task-spec.ts';

/** Limits that a request says in words. Only what was said is there. */
export type SaidLimits = {
  readonly max_pages?: number;
  readonly max_waves?: number;
  readonly max_duration_ms?: number;
  readonly budget?: { readonly currency: string; readonly cap_minor: string };
};

const NUMBER =
  '(\\d+(?:[.,]\\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|half an?|an?|[一二两三四五六七八九十]+|半)';
const AT_MOST =
  '(?:at most|no more than|not more than|up to|fewer than|less than|under|within|in under|maximum(?: of)?|max\\.?|limit(?:ed)? to|only|最多|至多|不超过|不要超过|不多于|少于|控制在|限)';
const PAGES = new RegExp(
  `${AT_MOST}\\s*(?:(?:read|open|use|visit|读|看|打开|查|浏览|访问|参考)(?:取)?)?\\s*${NUMBER}\\s*(?:个|张|份|篇)?\\s*(?:different |web ?)?(?:pages?|sources?|websites?|articles?|网页|页面|页|来源|网站|篇|资料)(?:以?内|之内)?`,
  'giu',
);
const ROUNDS = new RegExp(
  `(?:${AT_MOST}\\s*)?(?:搜|查)?${NUMBER}\\s*(?:(?:search )?(?:rounds?|waves?)(?: of (?:search(?:es|ing)?))?|轮(?:搜索|检索)?)`,
  'giu',
);
const TIME = new RegExp(
  `(?:${AT_MOST}|in|用|花|限时)?\\s*${NUMBER}\\s*(?:个)?\\s*(seconds?|secs?|minutes?|mins?|hours?|hrs?|秒钟?|分钟|小时|钟头)(?:以内|之内|内)?`,
  'giu',
);
const MONEY = new RegExp(
  `(?:${AT_MOST}|budget(?: of| is)?|spend|预算(?:为|是)?|花费|费用|花)?\\s*(?:(US\\$|\\$|€|£|¥|￥|USD|EUR|GBP|CNY|RMB)\\s*)?(\\d+(?:\\.\\d+)?)\\s*(美元|美金|欧元|英镑|人民币|块钱|块|元|日元|cents?|dollars?|euros?|pounds?|yuan|USD|EUR|GBP|CNY|RMB)?(?:以内|之内|内)?`,
  'giu',
);
/** Words of a clause that sets a limit and says nothing else. */
const FILLER =
  /\b(?:please|and|but|or|then|the|a|an|of|on|for|it|this|that|me|you|with|to|in|at|by|be|is|my|your|read(?:ing)?|use|using|open|visit|look|search|answer|reply|respond|finish|done|complete|completed|report|spend|spending|budget|cost|money|time|total|all|most|more|than|keep|stay|limit|take|should|must|do|not|have|i|give|back|within|under)\b|[请并且和与或用读取看查打开回答完成给我结果出报告研究总共一共全部花费用预算时间内之以就要最多不超过控制在限的了吧得需能]/giu;

type Clause = { readonly text: string; readonly isLimitOnly: boolean };

/** A clause that is nothing but a limit, or one where the words say that it limits this very work. */
const SAYS_SO =
  /\b(?:read|open|use|visit|look at)\s+(?:at most|no more than|up to|only|max)|最多(?:读|看|查|打开|浏览|访问|参考)|只(?:读|看|查|打开)\s*\d|\b(?:answer|finish|done|report back|reply|respond|complete)\b[^,.;]{0,20}\b(?:within|in)\b|(?:内|以内|之内)(?:完成|回答|给我|答复|出结果)|\bspend\s+(?:at most|no more than|up to|max)/iu;

function clausesOf(text: string): Clause[] {
  return text
    .split(/(?<!\d)[.,]|[.,](?!\d)|[，;；。!?！？\n()（）]/u)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
    .map((clause) => ({ text: clause, isLimitOnly: isBare(clause) || SAYS_SO.test(clause) }));
}

function isBare(clause: string): boolean {
  const without = [PAGES, ROUNDS, TIME, MONEY].reduce((rest, pattern) => rest.replace(pattern, ' '), clause);
  if (without === clause) return false;
  return !/[\p{L}\p{N}]{2}/u.test(without.replace(FILLER, ' ').replace(/\s+/gu, ' '));
}

/** A sentence that only limits the work is nothing to look up. */
export function isLimitOnly(sentence: string): boolean {
  const clauses = clausesOf(sentence);
  return clauses.length > 0 && clauses.every(({ text }) => isBare(text));
}

export function findLimits(text: string): SaidLimits {
  const clauses = clausesOf(text).filter((clause) => clause.isLimitOnly);
  const first = (pattern: RegExp) => clauses.flatMap((clause) => [...clause.text.matchAll(pattern)])[0];
  const pages = numberIn(first(PAGES)?.[1]);
  const rounds = numberIn(first(ROUNDS)?.[1]);
  const time = first(TIME);
  const budget = clauses.flatMap((clause) => moneyIn(clause.text))[0];
  const duration = durationOf(numberIn(time?.[1]), time?.[2] ?? '');
  return {
    ...(pages === null ? {} : { max_pages: Math.round(pages) }),
    ...(rounds === null ? {} : { max_waves: Math.round(rounds) }),
    ...(duration === null ? {} : { max_duration_ms: duration }),
    ...(budget === undefined ? {} : { budget }),
  };
}

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const NAMED: Readonly<Record<string, number>> = {
  ...Object.fromEntries(WORDS.map((word, index) => [word, index + 1])),
  ...{ twelve: 12, fifteen: 15, twenty: 20, thirty: 30, a: 1, an: 1, 'half a': 0.5, 'half an': 0.5, 半: 0.5, 两: 2 },
};

function numberIn(word: string | undefined): number | null {
  if (word === undefined) return null;
  const said = word.toLowerCase();
  const named = Object.hasOwn(NAMED, said) ? NAMED[said] : undefined;
  if (named !== undefined) return named;
  if (/^\d/.test(said)) return Number(said.replace(',', '.'));
  const digits = '零一二三四五六七八九';
  const [tens, ones] = said.includes('十') ? said.split('十') : ['', said];
  const ten = said.includes('十') ? (tens === '' ? 1 : digits.indexOf(tens ?? '')) * 10 : 0;
  const one = ones === '' ? 0 : digits.indexOf(ones ?? '');
  return ten < 0 || one < 0 || ten + one === 0 ? null : ten + one;
}

function durationOf(amount: number | null, unit: string): number | null {
  if (amount === null || amount <= 0) return null;
  if (/^(?:s|秒)/iu.test(unit)) return Math.round(amount * 1000);
  return Math.round(amount * (/^(?:m|分)/iu.test(unit) ? 60_000 : 3_600_000));
}

const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/^(?:US\$|\$|USD|美元|美金|dollars?)$/iu, 'USD'],
  [/^(?:€|EUR|欧元|euros?)$/iu, 'EUR'],
  [/^(?:£|GBP|英镑|pounds?)$/iu, 'GBP'],
  [/^(?:¥|￥|CNY|RMB|人民币|块钱|块|元|yuan)$/iu, 'CNY'],
  [/^日元$/u, 'JPY'],
];

function moneyIn(clause: string): NonNullable<SaidLimits['budget']>[] {
  return [...clause.matchAll(MONEY)].flatMap(([, sign, amount = '', unit]) => {
    const isCents = /^cents?$/iu.test(unit ?? '');
    const currency = isCents ? 'USD' : CURRENCIES.find(([name]) => name.test(sign ?? unit ?? ''))?.[1];
    if (currency === undefined) return [];
    const digits = isCents || currency === 'JPY' ? 0 : 2;
    return [{ currency, cap_minor: toMinor(amount, digits) }];
  });
}

/** Exact: `0.1` is 10 of the minor unit, without a binary fraction in between. */
function toMinor(amount: string, digits: number): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(digits, '0').slice(0, digits)}`).toString();
}

/** What was said, inside what the contract can hold. */
export function withinContract(said: SaidLimits, otherwise: TaskSpec['execution']): TaskSpec['execution'] {
  const between = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value));
  return {
    ...otherwise,
    max_pages: between(1, said.max_pages ?? otherwise.max_pages, 200),
    max_waves: between(1, said.max_waves ?? otherwise.max_waves, 10),
    max_duration_ms: between(1000, said.max_duration_ms ?? otherwise.max_duration_ms, 86_400_000),
  };
}
