import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import type { PageGlobals } from './support/page-globals.ts';
import { openBrowser } from './support/product-browser.ts';
import { chineseScript, englishScript } from './support/research-script.ts';
import { ask, expectAccessible, openScreen } from './support/screen.ts';
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

const rootClass = (): string => (globalThis as unknown as PageGlobals).document.documentElement.className;

function overflowPx(): number {
  const { document, innerWidth } = globalThis as unknown as PageGlobals;
  return document.documentElement.scrollWidth - innerWidth;
}

it.each([
  ['en', 'light'],
  ['en', 'dark'],
  ['zh-CN', 'light'],
  ['zh-CN', 'dark'],
] as const)('[CH-10] every screen is accessible in %s, %s', async (locale, colorScheme) => {
  const { page, context, faults } = await openScreen(browser, product, {
    locale,
    colorScheme,
    reducedMotion: 'reduce',
  });
  expect(await page.evaluate(() => (globalThis as unknown as PageGlobals).document.documentElement.lang)).toBe(locale);
  expect(await page.evaluate(rootClass).then((names) => names.includes('dark'))).toBe(colorScheme === 'dark');
  await page.locator('.home-list .empty, .home-list .rows').first().waitFor();
  await expectAccessible(page, 'home');
  const script = locale === 'en' ? englishScript() : chineseScript();
  const job = product.begin(await ask(page, locale === 'en' ? 'npm ci or npm install?' : '怎么停止任务？'), script);
  job.search();
  job.read(1);
  await page.locator('.progress-details summary').click();
  await expectAccessible(page, 'running');
  job.read(2);
  await job.finish();
  await page.locator('.artifact .file-row').first().waitFor();
  await page.locator('.prose .citation').first().click();
  await page.locator('.panel mark.active').waitFor();
  await expectAccessible(page, 'answer with panel');
  await page.goto(`${product.url}/settings`);
  await page.locator('.root').first().waitFor();
  await expectAccessible(page, 'settings');
  await page.goto(`${product.url}/results`);
  await page.locator('.artifact').first().waitFor();
  await expectAccessible(page, 'results');
  expect(faults).toEqual([]);
  await context.close();
});

it('[CH-10] language and appearance change at once and stay', async () => {
  const { page, context } = await openScreen(browser, product);
  await page.goto(`${product.url}/settings`);
  await page.getByRole('radio', { name: '简体中文' }).check();
  await expect.poll(() => page.locator('.page-title').textContent()).toBe('设置');
  await page.getByRole('radio', { name: '深色' }).check();
  expect(await page.evaluate(rootClass)).toContain('dark');
  await page.reload();
  expect(await page.locator('.page-title').textContent()).toBe('设置');
  expect(await page.evaluate(rootClass)).toContain('dark');
  await context.close();
});

it('[CH-01] at 320 pixels nothing is cut off, and the panel is a full sheet', async () => {
  const { page, context } = await openScreen(browser, product, { viewport: { width: 320, height: 640 } });
  const overflow = () => page.evaluate(overflowPx);
  expect(await overflow()).toBeLessThanOrEqual(0);
  const job = product.begin(await ask(page, 'npm ci or npm install?'), englishScript());
  job.search();
  job.read(2);
  await job.finish();
  await page.locator('.artifact .file-row').first().waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.locator('.prose .citation').first().click();
  await page.locator('.panel mark.active').waitFor();
  const panel = await page.locator('.panel').boundingBox();
  expect([panel?.x, panel?.width]).toEqual([0, 320]);
  await context.close();
});

it('[CH-01] keys: slash goes to the box, question mark shows the list, Escape closes it', async () => {
  const { page, context } = await openScreen(browser, product);
  await page.locator('.brand').focus();
  await page.keyboard.press('/');
  expect(await page.evaluate(() => (globalThis as unknown as PageGlobals).document.activeElement?.className)).toBe(
    'composer-box',
  );
  await page.locator('.brand').focus();
  await page.keyboard.press('?');
  await page.locator('dialog.sheet[open]').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.locator('dialog.sheet[open]').count()).toBe(0);
  await context.close();
});

it('[CH-10] people who listen hear the start and the end, not every page, and no history', async () => {
  const { page, context } = await openScreen(browser, product);
  const id = await ask(page, 'npm ci or npm install?');
  await page.evaluate(() => {
    const page = globalThis as unknown as PageGlobals;
    const { document, MutationObserver } = page;
    const said: string[] = [];
    page.said = said;
    const region = document.querySelector('.shell > [role=status]');
    if (region !== null)
      new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, { childList: true });
  });
  const job = product.begin(id, englishScript());
  job.search();
  await page.locator('.page-row').first().waitFor({ state: 'attached' });
  for (let at = 0; at < 20; at += 1) job.publish('evidence.accepted', { evidence_id: `evd_many-${at}` });
  job.read(2);
  await job.finish();
  await page.locator('.artifact .file-row').first().waitFor();
  const said = await page.evaluate(() => (globalThis as unknown as PageGlobals).said ?? []);
  expect(said.at(-1)).toBe('The answer is ready.');
  expect(said.length).toBeLessThanOrEqual(2);
  await page.reload();
  await page.locator('.artifact .file-row').first().waitFor();
  expect(await page.locator('.shell > [role=status]').textContent()).toBe('');
  await context.close();
});

it('[CH-09] a reader who scrolled up is left alone when the answer arrives', async () => {
  const { page, context } = await openScreen(browser, product, {
    viewport: { width: 1000, height: 520 },
    deviceScaleFactor: 1.25,
  });
  const id = await ask(page, 'first');
  for (let at = 0; at < 12; at += 1)
    product.say(id, [{ kind: 'text', part_id: 'p', markdown: `Paragraph ${at}\n\n${'word '.repeat(120)}` }]);
  await expect.poll(() => page.locator('.answer').count()).toBe(12);
  const thread = page.locator('.thread');
  await thread.evaluate((element) => element.scrollTo(0, 300));
  await page.locator('.latest').waitFor();
  const before = await thread.evaluate((element) => element.scrollTop);
  product.say(id, [{ kind: 'text', part_id: 'p', markdown: `The end\n\n${'word '.repeat(200)}` }]);
  await expect.poll(() => page.locator('.answer').count()).toBe(13);
  expect(await thread.evaluate((element) => element.scrollTop)).toBe(before);
  await page.locator('.latest').click();
  await expect.poll(() => page.locator('.latest').isVisible()).toBe(false);
  await context.close();
});
