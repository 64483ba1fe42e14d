import { chromium, type Page } from 'playwright';
import { findChromium } from '#runtime/providers/browser/engine/chromium-binary.ts';

export type BareBrowser = { read(url: string): Promise<string>; close(): Promise<void> };

const SWITCHES = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-gpu',
  '--disable-dev-shm-usage',
];

/** What anybody would write first: open the page, take the text that shows. The same Chromium, nothing of ours around it. */
export async function openBareBrowser(folder: string): Promise<BareBrowser> {
  const { executable, environment } = await findChromium(folder, process.env['BROWSER_PATH']);
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', ...environment };
  const browser = await chromium.launch({ executablePath: executable, args: SWITCHES, env });
  const page: Page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  return {
    async read(url) {
      await page.goto(url);
      return page.innerText('body');
    },
    close: () => browser.close(),
  };
}
