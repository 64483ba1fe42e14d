import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import type { PageGlobals } from './support/page-globals.ts';
import { markedText, openCitation } from './support/in-panel.ts';
import { openBrowser } from './support/product-browser.ts';
import { chineseScript, englishScript } from './support/research-script.ts';
import { ask, openScreen } from './support/screen.ts';
import { ScriptedProduct } from './support/scripted-product.ts';

let product: ScriptedProduct;
let browser: Browser;
let closeBrowser: () => Promise<void>;

beforeAll(async () => {
  product = await ScriptedProduct.start();
  ({ browser, close: closeBrowser } = await openBrowser());
});
afterAll(async () => {
  await closeBrowser();
  await product.close();
});

it.each([
  ['en', 'What is the difference between npm ci and npm install?', englishScript],
  ['zh-CN', '怎么停止一个正在运行的任务？', chineseScript],
] as const)(
  '[EV-01] ask in %s, watch the pages being read, open a citation at its quote',
  async (locale, question, make) => {
    const script = make();
    const { page, context, faults } = await openScreen(browser, product, { locale });
    const id = await ask(page, question);
    const job = product.begin(id, script);
    job.search();
    job.read(1);
    const card = page.locator('.progress-card');
    await expect.poll(() => card.locator('.counters').textContent()).toMatch(/1 page read|已读 1 页/);
    expect(await card.locator('progress').getAttribute('value')).toBeNull();
    expect(await card.textContent()).not.toContain('%');
    await card.locator('summary').first().click();
    await expect.poll(() => card.locator('.page-row').count()).toBe(script.sources.length);

    job.read(script.sources.length);
    await job.finish();
    await page.locator('.artifact .file-row').first().waitFor();
    for (const { n, quote } of script.citations) {
      await openCitation(page, n);
      await expect.poll(() => page.evaluate(markedText)).toBe(quote);
      const inView = await page
        .locator('.panel mark.active')
        .first()
        .evaluate((mark) => {
          const at = mark.getBoundingClientRect();
          const { innerHeight } = globalThis as unknown as PageGlobals;
          return at.top >= 0 && at.bottom <= innerHeight;
        });
      expect(inView).toBe(true);
    }
    const wholeText = script.sources.find(
      (one) => one.source_revision_id === script.citations.at(-1)?.source.source_revision_id,
    );
    expect(await page.locator('.source-text').evaluate((element) => element.textContent)).toBe(wholeText?.text);

    await page.keyboard.press('[');
    await expect.poll(() => page.evaluate(markedText)).toBe(script.citations.at(-2)?.quote);
    await page.keyboard.press('Escape');
    expect(await page.locator('.panel').isVisible()).toBe(false);
    expect(await page.evaluate(focusedCitation)).toBe(String(script.citations.length));
    expect(faults).toEqual([]);
    await context.close();
  },
);

function focusedCitation(): string | null {
  const { document } = globalThis as unknown as PageGlobals;
  return document.activeElement?.getAttribute('data-citation') ?? null;
}

it('[AR-01] the report is downloaded byte for byte', async () => {
  const script = englishScript();
  const { page, context } = await openScreen(browser, product);
  const id = await ask(page, 'What is the difference between npm ci and npm install?');
  const job = product.begin(id, script);
  job.search();
  job.read(2);
  await job.finish();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.file-row', { hasText: 'report.md' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.md$/);
  expect(await readFile(await download.path(), 'utf8')).toBe(script.markdown);
  await context.close();
});

it('[CH-09] a reload in the middle and a second tab show the same task, once', async () => {
  const script = englishScript();
  const { page, context, faults } = await openScreen(browser, product);
  const id = await ask(page, 'What is the difference between npm ci and npm install?');
  const job = product.begin(id, script);
  job.search();
  job.read(1);
  await page.locator('.progress-card').waitFor();
  await page.reload();
  await expect.poll(() => page.locator('.progress-card .counters').textContent()).toContain('1 page read');
  const other = await context.newPage();
  await other.goto(page.url());
  await other.locator('.progress-card').waitFor();
  job.read(2);
  await job.finish();
  for (const tab of [page, other]) {
    await tab.locator('.prose .citation').first().waitFor();
    expect(await tab.locator('.question').count()).toBe(1);
    expect(await tab.locator('.answer').count()).toBe(1);
    expect(await tab.locator('.progress-card .counters').textContent()).toContain('2 pages read');
  }
  await page.reload();
  await page.locator('.prose .citation').first().waitFor();
  expect(await page.locator('.answer').count()).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});

it('[TK-04] stop is accepted first and stopped only when the task says so', async () => {
  const { page, context } = await openScreen(browser, product);
  const id = await ask(page, 'How do I stop a running task?');
  const job = product.begin(id, englishScript());
  job.search();
  const stop = page.locator('.stop');
  await stop.click();
  await expect.poll(() => stop.textContent()).toBe('Accepted');
  expect(await page.locator('.progress-status').textContent()).toBe('Stopping');
  await page.reload();
  await expect.poll(() => stop.textContent()).toBe('Accepted');
  job.stopped();
  await expect.poll(() => page.locator('.progress-status').textContent()).toBe('Stopped');
  expect(await stop.isVisible()).toBe(false);
  await context.close();
});

it('[CH-06] a part of an unknown kind is a labelled box, never nothing', async () => {
  const { page, context } = await openScreen(browser, product);
  const id = await ask(page, 'Hello there');
  product.say(id, [
    { kind: 'x-future', part_id: 'p1' } as never,
    { kind: 'text', part_id: 'p2', markdown: '**注意：**正文' },
  ]);
  await expect.poll(() => page.locator('.part-note').textContent()).toContain('x-future');
  expect(await page.locator('.prose strong').textContent()).toBe('注意：');
  await context.close();
});

it('[BR-08] text of a page cannot become markup, script or a citation', async () => {
  const { page, context, faults } = await openScreen(browser, product);
  const id = await ask(page, 'Hello there');
  const hostile = [
    '<img src=x onerror="window.hit=1"><script>window.hit=1</script>',
    '[press](javascript:window.hit=1) ![](http://evil.test/x.png) [7]',
    '<button class="citation" data-citation="1">1</button>',
  ].join('\n\n');
  product.say(id, [{ kind: 'text', part_id: 'p1', markdown: hostile }]);
  await page.locator('.prose .block').first().waitFor();
  expect(await page.evaluate(() => (globalThis as unknown as PageGlobals).hit)).toBeUndefined();
  expect(await page.locator('.prose img, .prose script, .prose button').count()).toBe(0);
  expect(await page.locator('.prose a[href^="javascript"]').count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});
