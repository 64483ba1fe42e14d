import { foldText, queryTerms } from '#contracts/text/segment.ts';

export type Shape = 'person' | 'date' | 'place' | 'number' | 'definition' | 'instruction' | 'reason' | 'any';

/** `most` and `least` speak of size; `first` and `last` of order or time. */
export type Extreme = 'most' | 'least' | 'first' | 'last';

export type Question = {
  readonly text: string;
  readonly terms: readonly string[];
  /** Terms written as proper names: with a capital letter that no sentence start explains. */
  readonly names: ReadonlySet<string>;
  readonly shape: Shape;
  readonly extreme: Extreme | null;
  /** The superlative's own words: pages need not repeat them. */
  readonly operators: ReadonlySet<string>;
  /** Words near the superlative, which should name the column it is about. */
  readonly extremeTerms: readonly string[];
  /** Words that a column of this kind of size usually carries ("tallest" → height). */
  readonly extremeHints: readonly string[];
  /** The row after (+1) or before (−1) the one that `anchorTerms` describe. */
  readonly neighbour: { readonly step: 1 | -1; readonly anchorTerms: readonly string[] } | null;
};

type Rule<T> = readonly [RegExp, T];

const SHAPES: readonly Rule<Shape>[] = [
  [
    /\bhow (?:many|much|long|old|tall|far|large|big|high|often|deep|heavy|fast)\b|\bwhat (?:is|was) the (?:total|number|amount)\b|多少|几个|几[次种项页]|多[长久高大重远]|多快/,
    'number',
  ],
  [/\bhow (?:do|does|can|to|should|would|is|are)\b|怎么|怎样|如何|咋/, 'instruction'],
  [/\bwhy\b|为什么|为何|原因/, 'reason'],
  [/\b(?:who|whom|whose)\b|谁|哪位|何人/, 'person'],
  [
    /\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b|\bin (?:what|which) year\b|什么时候|何时|哪[一]?[年月天日]|几[年月日点]/,
    'date',
  ],
  [
    /\bwhere\b|\b(?:what|which) (?:city|country|place|state|town|venue|location)\b|哪里|哪儿|何处|什么地方|在哪/,
    'place',
  ],
  [
    /^what (?:is|are) (?:an? |the )?[\w -]{1,40}\??$|\bwhat does .{1,40} (?:mean|do)\b|\bdifference between\b|是什么|什么是|什么意思|区别|定义/,
    'definition',
  ],
];

const EXTREMES: readonly Rule<Extreme>[] = [
  [
    /\b(?:most|highest|largest|biggest|greatest|longest|tallest|maximum|max|oldest age|heaviest|fastest|best|top|widest|deepest|richest|busiest)\b|最[多高大长重快好强宽深久]/,
    'most',
  ],
  [
    /\b(?:least|lowest|smallest|fewest|shortest|minimum|min|lightest|slowest|worst|cheapest|narrowest)\b|最[少低小短轻慢差便]/,
    'least',
  ],
  [/\b(?:first|earliest|oldest|top of the (?:list|table|chart))\b|最早|最先|第一|首[个次位]/, 'first'],
  [/\b(?:last|latest|newest|most recent|final|youngest|bottom)\b|最[后晚新近]/, 'last'],
];

const HINTS: readonly Rule<readonly string[]>[] = [
  [/\b(?:tallest|shortest)\b|最高/, ['height']],
  [/\b(?:longest|shortest)\b|最[长短]/, ['length', 'duration', 'time', 'run']],
  [/\b(?:fastest|slowest)\b|最[快慢]/, ['time', 'speed']],
  [/\b(?:oldest|youngest)\b/, ['age', 'birth', 'date', 'year', 'built']],
  [/\b(?:heaviest|lightest)\b|最[重轻]/, ['weight', 'mass']],
  [/\b(?:cheapest|expensive|richest)\b|最[贵便]/, ['price', 'cost', 'fee', 'money', 'prize']],
  [/\b(?:largest|biggest|smallest)\b|最[大小]/, ['size', 'area', 'population', 'total', 'number']],
  [/\b(?:earliest|latest|first|last|recent|newest)\b|最[早晚新近]/, ['date', 'year', 'time', 'release', 'open']],
  [/\b(?:best|worst|top|highest)\b|最好/, ['rank', 'place', 'position', 'score', 'point']],
];

const AFTER =
  /\b(?:after|next to|following|follows|below|behind|succeed(?:s|ed)?|came next|comes next|next)\b|之后|后面|下一[个位]/;
const BEFORE = /\b(?:before|previous(?: to)?|prior to|preced(?:es|ed|ing)|above|ahead of)\b|之前|前面|上一[个位]/;

/** Says that a table is meant, not what stands in it. */
const TABLE_MENTION =
  /\b(?:in|on|of|according to|from) (?:the|this) (?:table|chart|list)\b|\b(?:is|are|was|were)? ?listed\b|(?:表格|列表|表)(?:里|中)/gi;
const NEIGHBOUR_VERBS = queryTerms('comes came follows');

/** What a question asks for, by its words alone. English and Chinese. */
export function parseQuestion(asked: string): Question {
  const text = asked.replace(TABLE_MENTION, ' ');
  const folded = foldText(text);
  const extreme = firstMatch(EXTREMES, folded);
  const neighbour = neighbourOf(folded);
  return {
    text,
    terms: queryTerms(text),
    names: namesIn(text),
    shape: firstMatch(SHAPES, folded)?.value ?? 'any',
    extreme: extreme?.value ?? null,
    operators: new Set([
      ...(extreme === null ? [] : queryTerms(folded.slice(extreme.start, extreme.end))),
      ...(neighbour === null ? [] : NEIGHBOUR_VERBS),
    ]),
    extremeTerms: extreme === null ? [] : termsAfter(folded, extreme.end),
    extremeHints: HINTS.filter(([pattern]) => pattern.test(folded)).flatMap(([, hints]) => hints),
    neighbour,
  };
}

function namesIn(text: string): ReadonlySet<string> {
  const capitalised = text.match(/(?<=[\p{Ll}\p{N},;:] )\p{Lu}[\p{L}\p{N}'’-]+/gu) ?? [];
  return new Set(capitalised.flatMap((word) => queryTerms(word)));
}

function firstMatch<T>(rules: readonly Rule<T>[], text: string): { value: T; start: number; end: number } | null {
  for (const [pattern, value] of rules) {
    const found = pattern.exec(text);
    if (found !== null) return { value, start: found.index, end: found.index + found[0].length };
  }
  return null;
}

/** The phrase that follows: up to six words or twelve Chinese characters. */
function termsAfter(text: string, at: number): string[] {
  const rest = text.slice(at).trimStart();
  return queryTerms(/^(?:\S+\s*){0,6}/.exec(rest.slice(0, 60))?.[0] ?? '');
}

function neighbourOf(text: string): Question['neighbour'] {
  for (const [pattern, step] of [
    [AFTER, 1],
    [BEFORE, -1],
  ] as const) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const after = queryTerms(text.slice(found.index + found[0].length));
    const anchorTerms = after.length > 0 ? after : queryTerms(text.slice(0, found.index));
    return { step, anchorTerms };
  }
  return null;
}
