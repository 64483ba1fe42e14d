import { majorOf } from '#contracts/research/minor.ts';
import type { Language } from '#contracts/ids.ts';

export type Format = {
  number(value: number): string;
  /** Date and minute in the reader's zone. */
  dateTime(iso: string): string;
  /** "3 minutes ago", "yesterday"; falls back to the date after a week. */
  relative(iso: string, nowMs: number): string;
  bytes(count: number): string;
  /** An amount in the smallest unit, as people write it; small ones with all their digits up to a millionth. */
  money(minor: string, currency: string): string;
  /** `0:07`, `12:30`, `1:02:03`. */
  clock(durationMs: number): string;
};

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

export function createFormat(language: Language): Format {
  const numbers = new Intl.NumberFormat(language);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const small = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return {
    number: (value) => numbers.format(value),
    dateTime: (iso) => dates.format(new Date(iso)),
    relative: (iso, nowMs) => {
      const passedMs = nowMs - Date.parse(iso);
      if (passedMs > 7 * 86_400_000) return days.format(new Date(iso));
      for (const [unit, sizeMs] of STEPS) {
        if (Math.abs(passedMs) >= sizeMs) return ago.format(-Math.trunc(passedMs / sizeMs), unit);
      }
      return ago.format(0, 'second');
    },
    bytes: (count) => {
      if (count < 1000) return `${numbers.format(count)} B`;
      if (count < 1_000_000) return `${small.format(count / 1000)} kB`;
      return `${small.format(count / 1_000_000)} MB`;
    },
    money: (minor, currency) =>
      new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 6 }).format(
        Number(majorOf(minor, currency)),
      ),
    clock: formatClock,
  };
}

export function formatClock(durationMs: number): string {
  const total = Math.max(0, Math.floor(durationMs / 1000));
  const seconds = String(total % 60).padStart(2, '0');
  const minutes = Math.floor(total / 60) % 60;
  const hours = Math.floor(total / 3600);
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
}
