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
