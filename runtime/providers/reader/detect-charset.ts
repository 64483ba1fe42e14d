/** Frequent characters of running text; a wrong decoding of another charset hardly ever hits them. */
const COMMON: Readonly<Record<string, string>> = {
  gb18030:
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运，。、：；“”（）《》',
  big5: '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運，。、：；「」（）《》',
  shift_jis:
    'のにはをたがでてとしれさいるかもなこそらりあすまっきつくえけちょやどんよだう、。「」・ーンスルトリクアイラレロッドフシタジマムプ日本人大年一中会国出上者行見',
  'euc-kr':
    '이다의는에을를가하고은로한지도사자기서인대시어나정리일구해있부수그전아주상들것등과제라보와게원여장성으면만중',
};

const CANDIDATES = [
  ['gb18030', 'gb18030'],
  ['big5', 'big5'],
  ['shift_jis', 'shift_jis'],
  ['euc-jp', 'shift_jis'],
  ['euc-kr', 'euc-kr'],
] as const;

const commonSets = new Map(Object.entries(COMMON).map(([charset, text]) => [charset, new Set(text)]));

/** Valid UTF-8, where a character cut off at the end of the sample does not count against it. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function scoreOf(bytes: Uint8Array, charset: string, common: ReadonlySet<string>): number {
  const text = new TextDecoder(charset).decode(bytes);
  let beyondAscii = 0;
  let hits = 0;
  let broken = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0x7f) continue;
    beyondAscii += 1;
    if (common.has(character)) hits += 1;
    // Private use, half-width katakana and single letters of Latin-1 are what a wrong guess makes.
    else if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff) || (code >= 0xff61 && code <= 0xff9f)) broken += 1;
  }
  return beyondAscii === 0 ? 0 : (hits - 3 * broken) / beyondAscii;
}

function singleByte(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1251').decode(bytes);
  const words = text.match(/\p{L}+/gu) ?? [];
  const cyrillic = words.filter((word) => /^[а-яё]{2,}$|^[А-ЯЁ][а-яё]+$/u.test(word)).length;
  const mixed = words.filter((word) => /[a-z]/iu.test(word) && /\p{Script=Cyrillic}/u.test(word)).length;
  return cyrillic > 5 * (mixed + 1) ? 'windows-1251' : 'windows-1252';
}

/** The charset that bytes without a believable claim look most like. */
export function detectCharset(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return 'utf-8';
  let best = { charset: '', score: 0.2 };
  for (const [charset, language] of CANDIDATES) {
    const score = scoreOf(bytes, charset, commonSets.get(language) ?? new Set());
    if (score > best.score) best = { charset, score };
  }
  return best.charset === '' ? singleByte(bytes) : best.charset;
}
