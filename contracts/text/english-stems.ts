/** Irregular forms that questions use and pages do not (or the other way round). */
const IRREGULAR: Readonly<Record<string, string>> = {
  won: 'win',
  held: 'hold',
  ran: 'run',
  wrote: 'write',
  written: 'write',
  made: 'make',
  took: 'take',
  taken: 'take',
  began: 'begin',
  begun: 'begin',
  built: 'build',
  sold: 'sell',
  bought: 'buy',
  gave: 'give',
  given: 'give',
  found: 'find',
  left: 'leave',
  lost: 'lose',
  led: 'lead',
  met: 'meet',
  sent: 'send',
  went: 'go',
  gone: 'go',
  came: 'come',
  became: 'become',
  chose: 'choose',
  chosen: 'choose',
  grew: 'grow',
  grown: 'grow',
  knew: 'know',
  known: 'know',
  spoke: 'speak',
  spoken: 'speak',
  sang: 'sing',
  sung: 'sing',
  shown: 'show',
  beat: 'beat',
  beaten: 'beat',
  born: 'birth',
  died: 'death',
  die: 'death',
  men: 'man',
  women: 'woman',
  children: 'child',
  people: 'person',
  indices: 'index',
  series: 'series',
  species: 'species',
};

/** Light English stemming: plurals, -ed, -ing, -ion after a long stem, final e. Words of other languages pass mostly untouched. */
export function stemEnglish(word: string): string {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined && Object.hasOwn(IRREGULAR, word)) return stemRegular(irregular);
  return stemRegular(word);
}

function stemRegular(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return dropFinalE(dropIon(dropVerbEnding(dropPlural(word))));
}

function dropPlural(word: string): string {
  if (/[^ae]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (/[^siu]s$/.test(word)) return word.slice(0, -1);
  return word;
}

function dropVerbEnding(word: string): string {
  if (/eed$/.test(word)) return word;
  if (/ied$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  const stem = /ed$/.test(word) ? word.slice(0, -2) : /ing$/.test(word) ? word.slice(0, -3) : word;
  if (stem === word || !/[aeiouy]/.test(stem) || stem.length < 2) return word;
  return /([b-df-hj-kmnp-rtvwz])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

function dropIon(word: string): string {
  return /[st]ion$/.test(word) && word.length >= 8 ? word.slice(0, -3) : word;
}

function dropFinalE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}
