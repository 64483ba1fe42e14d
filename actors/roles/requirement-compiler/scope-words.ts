import { endOf } from '#contracts/research/spoken-value.ts';
import { sentencesOf } from './sentences-of-request.ts';

export function findUrls(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"'，。；、）)】」]+/gu) ?? [];
  return unique(found.map((url) => url.replace(/[.,;:!?]+$/u, ''))).slice(0, 20);
}

const EXCLUDING =
  /(?:不要(?:包括|包含|涉及|算上)?|不包括|不包含|不含|不考虑|排除|剔除|except(?: for)?|excluding|but not|other than|leave out|without counting)\s*([^，。；,.;?？!！\n()（）]{1,80})/giu;
const LEAVING_OUT = /除(?:了|去)?([^，。；,.;?？\n]{1,30}?)(?:之外|以外|外)(?![，,]?\s*(?:还|也|又))/gu;
/** “不要估算” forbids a way of working; it excludes nothing from the scope. */
const NO_SCOPE =
  /^(?:估算|猜测|编造|推测|太|超过|开始|执行|遗漏|忽略|重复|只|仅|in\b|on\b|at\b|limited\b|only\b|always\b|all\b)/iu;

export function findExclusions(text: string): string[] {
  const found = [...text.matchAll(EXCLUDING), ...text.matchAll(LEAVING_OUT)].map((match) => match[1]?.trim() ?? '');
  return unique(found.filter((item) => item !== '' && !NO_SCOPE.test(item))).slice(0, 50);
}

const DOMAIN = '((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,})';
const ONLY_ON = new RegExp(
  `(?:\\bsite:\\s*|\\bonly (?:use|search|read|on|from|sources from|pages (?:on|from|of))\\s+(?:sources (?:on|from)\\s+)?|仅限(?:于)?|只(?:用|看|查|搜|限|使用|参考)|限定(?:在|于)?)\\s*(?:the site\\s+|网站)?${DOMAIN}((?:\\s*(?:,|，|、|and|or|和|或|与)\\s*${DOMAIN})*)`,
  'giu',
);

/** Sites the request restricts itself to; a site that is merely mentioned restricts nothing. */
export function findDomains(text: string): string[] {
  const found = [...text.matchAll(ONLY_ON)].flatMap(([all]) => all.match(new RegExp(DOMAIN, 'giu')) ?? []);
  return unique(found.map((site) => site.toLowerCase().replace(/^www\./u, ''))).slice(0, 20);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const AS_OF_ENGLISH =
  /\b(?:as of|up to|up until|until|by the end of|as at)\s+(?:(?:the end of\s+)?(?:(\d{1,2})\s+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?)?(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?\b(?!\s*(?:euros?|dollars?|pages?|items?|people|m\b|km\b))/iu;
const AS_OF_CHINESE =
  /(?:截至|截止到?|到)\s*(\d{4})\s*年(?:\s*(\d{1,2})\s*月)?(?:\s*(\d{1,2})\s*[日号])?(?:底|末)?(?:为止|的)?/u;

/** The last moment of the day, month or year that a request looks back from; null when it names none. */
export function findAsOf(text: string): string | null {
  const chinese = AS_OF_CHINESE.exec(text);
  const isUntil = chinese !== null && (/^截/u.test(chinese[0]) || /为止$/u.test(chinese[0]));
  if (isUntil) return endOf(Number(chinese[1]), part(chinese[2]), part(chinese[3]));
  const english = AS_OF_ENGLISH.exec(text);
  if (english === null) return null;
  const month = english[2] === undefined ? part(english[5]) : MONTHS.indexOf(english[2].toLowerCase()) + 1;
  const year = Number(english[4]);
  return year < 1900 || year > 2200 ? null : endOf(year, month, part(english[1] ?? english[3] ?? english[6]));
}

const part = (digits: string | undefined): number | undefined => (digits === undefined ? undefined : Number(digits));

const REGIONS_CHINESE =
  '中国大陆|中国|国内|我国|美国|日本|韩国|印度|英国|法国|德国|俄罗斯|欧盟|欧洲|北美|南美|拉美|东南亚|非洲|中东|澳大利亚|加拿大|巴西|新加坡|香港|台湾|北京|上海|深圳|广州';
const REGIONS_ENGLISH =
  'mainland China|China|the United States|the US|the USA|Japan|South Korea|Korea|India|the United Kingdom|the UK|France|Germany|Russia|the European Union|the EU|Europe|North America|South America|Latin America|Southeast Asia|Africa|the Middle East|Australia|Canada|Brazil|Singapore|Hong Kong|Taiwan|Spain|Italy|Mexico|Indonesia|Vietnam|Thailand|Switzerland|the Netherlands|Sweden|Norway';
const IN_REGION = new RegExp(`\\b(?:in|across|within|throughout|inside|of)\\s+(${REGIONS_ENGLISH})\\b`, 'gu');
const WIDE =
  /全球|世界|国际|各国|国内外|中外|不同国家|\b(?:global|worldwide|world's|international|various countries|different countries|regions)\b/iu;

/** The one region a request is bounded by; several, or the whole world, bound nothing. */
export function findRegion(text: string): string | null {
  if (WIDE.test(text)) return null;
  const chinese = unique(
    (text.match(new RegExp(REGIONS_CHINESE, 'gu')) ?? []).map((name) =>
      /^(?:国内|我国)$/u.test(name) ? '中国' : name,
    ),
  );
  const english = unique([...text.matchAll(IN_REGION)].map((match) => (match[1] ?? '').replace(/^the /u, '')));
  const all = [...chinese, ...english];
  return all.length === 1 ? (all[0] ?? null) : null;
}

const DEMAND =
  /至少|必须|务必|不得|需要包括|需包括|请包括|只(?:引用|使用)|不要?估算|不要猜测|\bat least\b|\bmust\b|\bonly cit|\bensure\b|\bmake sure\b|\bdo not (?:guess|estimate)\b/iu;

/** What the request demands of its answer, whole sentences in its own words. */
export function findAcceptance(text: string): string[] {
  const demands = sentencesOf(text).filter(
    ({ text: said, kind }) => kind === 'coverage' || (kind === 'order' && DEMAND.test(said)),
  );
  const said = demands.map(({ text: demand }) => demand).filter((demand) => demand.length > 5 && demand.length <= 500);
  return unique(said).slice(0, 20);
}

/** The first line, cut at a word, never in the middle of a surrogate pair. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  const characters = [...line.replace(/\s+/gu, ' ')];
  return characters.length <= 80 ? characters.join('') : `${characters.slice(0, 79).join('')}…`;
}

export const unique = (list: readonly string[]): string[] => [...new Set(list)];
