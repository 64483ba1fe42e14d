const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Number that a cell says, for ordering rows; null when it says none. Dates become days, times seconds, "1,234 (est.)" 1234. */
export function cellValue(cell: string): number | null {
  const text = cell.trim().toLowerCase();
  if (text === '' || !/\d/.test(text)) return null;
  return dateValue(text) ?? timeValue(text) ?? numberValue(text);
}

/** True when most cells that say anything say a number. */
export function isOrderable(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell));
  const valued = filled.filter((cell) => cellValue(cell) !== null);
  return valued.length >= 2 && valued.length * 10 >= filled.length * 6;
}

function dateValue(text: string): number | null {
  const iso = /\b(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})/.exec(text);
  if (iso !== null) return days(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}[a-z]*\\b`).test(text)) + 1;
  if (month === 0) return null;
  const year = /\b(1[0-9]\d\d|20\d\d)\b/.exec(text);
  const day = /\b([0-3]?\d)(?:st|nd|rd|th)?\b/.exec(text);
  return days(Number(year?.[1] ?? 0), month, Number(day?.[1] ?? 1));
}

function days(year: number, month: number, day: number): number {
  return year * 372 + month * 31 + day;
}

function timeValue(text: string): number | null {
  const time = /(?:(\d+):)?(\d{1,2}):(\d\d(?:\.\d+)?)/.exec(text);
  return time === null ? null : Number(time[1] ?? 0) * 3600 + Number(time[2]) * 60 + Number(time[3]);
}

function numberValue(text: string): number | null {
  const joined = text.replace(/(\d)[ ,\u00a0\u202f](?=\d{3}(?:\D|$))/g, '$1');
  const found = /([-−–]?)\s*(\d+(?:\.\d+)?)\s*(%|k\b|thousand|million|m\b|billion|bn\b|万|亿)?/.exec(joined);
  if (found === null) return null;
  const isNegative = found[1] !== '' && found.index === 0;
  return Number(found[2]) * (SCALES[found[3] ?? ''] ?? 1) * (isNegative ? -1 : 1);
}

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  bn: 1e9,
  万: 1e4,
  亿: 1e8,
};
