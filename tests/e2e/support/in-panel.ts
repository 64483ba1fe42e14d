import type { Page } from 'playwright';
import type { PageGlobals } from './page-globals.ts';

/** Text from the first marked piece of the open source to the last, with the tabs and line breaks between them. */
export function markedText(): string {
  const { document } = globalThis as unknown as PageGlobals;
  const marks = Array.from(document.querySelectorAll('.panel mark.active'));
  const [first, last] = [marks[0], marks.at(-1)];
  if (first === undefined || last === undefined) return '';
  const range = document.createRange();
  range.setStartBefore(first);
  range.setEndAfter(last);
  return range.toString();
}

/** Opens citation `n` of the answer and waits until its source is shown at the quote. */
export async function openCitation(page: Page, n: number): Promise<void> {
  await page.locator(`.prose .citation[data-citation="${n}"]`).first().click();
  await page.locator(`.prose .citation.open[data-citation="${n}"]`).first().waitFor();
  await page.locator('.panel mark.active').first().waitFor();
}
