const DAY_MS = 86_400_000;
const DAYS_PER_ERA = 146_097;

let last = { ms: Number.NaN, text: '' };

/** RFC 3339 in UTC of a time since the epoch, years 0 to 9999. Here because pure code names no `Date`. */
export function isoTime(ms: number): string {
  // hundreds of steps happen in one millisecond
  if (ms !== last.ms) last = { ms, text: spell(ms) };
  return last.text;
}

function spell(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const rest = ms - days * DAY_MS;
  // civil date from a day count, with years that begin in March
  const shifted = days + 719_468;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const second = Math.floor(rest / 1000);
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const time = `${pad(Math.floor(second / 3600), 2)}:${pad(Math.floor(second / 60) % 60, 2)}:${pad(second % 60, 2)}`;
  return `${date}T${time}.${pad(Math.floor(rest % 1000), 3)}Z`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3})\d*)?Z$/;

/** Milliseconds since the epoch of a time as `isoTime` writes it; NaN for anything else. */
export function msOfIso(text: string): number {
  const found = ISO.exec(text);
  if (found === null) return Number.NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  // civil day count with years that begin in March
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const days = era * DAYS_PER_ERA + dayOfEra - 719_468;
  const fraction = Number((found[7] ?? '0').padEnd(3, '0'));
  return days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
}
