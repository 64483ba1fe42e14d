/** Scripts that only one language of wide use is written in. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\u3040-\u30ff]/gu],
  ['ko', /[\uac00-\ud7af]/gu],
  ['th', /\p{Script=Thai}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
];

function byScript(text: string): string {
  const sample = text.slice(0, 20_000);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, pattern] of SCRIPTS) {
    if ((sample.match(pattern)?.length ?? 0) * 8 > letters && letters > 10) return language;
  }
  return 'und';
}

/** What the page declares counts, unless its letters say otherwise. */
export function chooseLanguage(declared: string, text: string, detected: string): string {
  const script = byScript(text);
  const base = declared.split('-')[0]?.toLowerCase() ?? '';
  if (script !== 'und') return base === script ? declared : script;
  if (detected === 'zh-CN') return base === 'zh' || base === 'yue' ? declared : 'zh-CN';
  if (declared !== '' && !(base === 'zh' || base === 'ja' || base === 'ko')) return declared;
  return detected === 'und' ? 'und' : detected;
}
