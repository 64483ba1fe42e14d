import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright';
import type { SourceRevisionView } from '#contracts/http/research.ts';
import type { ConversationDetail } from '#contracts/http/conversations.ts';
import type { Citation } from '#contracts/research/answer.ts';
import { markedText, openCitation } from './support/in-panel.ts';
import { openBrowser } from './support/product-browser.ts';
import { ask, openScreen } from './support/screen.ts';
import { startProduct } from './support/started-product.ts';

/** `SCREENSHOTS=docs` renews the pictures of the README; otherwise none are written. */
const PICTURES = process.env['SCREENSHOTS'] === 'docs' ? join(import.meta.dirname, '../../docs') : null;
const ANSWER_LIMIT_MS = 120_000;

let product: Awaited<ReturnType<typeof startProduct>>;
let browser: Browser;
let closeBrowser: () => Promise<void>;
let cookies: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>;
let origin: string;

beforeAll(async () => {
  product = await startProduct();
  origin = new URL(product.signInUrl()).origin;
  ({ browser, close: closeBrowser } = await openBrowser());
  const { context } = await openScreen(browser, product);
  cookies = await context.cookies();
  await context.close();
});
afterAll(async () => {
  await closeBrowser?.();
  await product?.close();
});

async function signedIn(locale: string) {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 860 }, acceptDownloads: true });
  await context.addCookies(cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(origin);
  await page.locator('.home .composer-box').waitFor();
  return { context, page };
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES === null) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, name) });
}

const get = async <T>(page: Page, path: string): Promise<T> =>
  (await (await page.context().request.get(`${origin}/api/v1${path}`)).json()) as T;

async function citationsOf(page: Page, conversationId: string): Promise<Citation[]> {
  const detail = await get<ConversationDetail>(page, `/conversations/${conversationId}`);
  return detail.messages.flatMap((one) =>
    one.parts.flatMap((part) => (part.kind === 'citation' ? part.citations : [])),
  );
}

it.each([
  ['zh-CN', 'zh', '怎么停止一个正在运行的任务？'],
  ['en', 'en', 'What is the difference between npm ci and npm install?'],
] as const)(
  '[CH-01] the product answers in %s from real pages; every quote opens where it stands',
  async (locale, name, question) => {
    const { page, context } = await signedIn(locale);
    await takePicture(page, `screenshot-${name}-home.png`);
    const id = await ask(page, question);
    await page.locator('.progress-card').waitFor();
    await page.reload();
    await page.locator('.progress-card').waitFor();
    await page.locator('.prose .citation').first().waitFor({ timeout: ANSWER_LIMIT_MS });
    await page.locator('.artifact .file-row').first().waitFor();
    expect(await page.locator('.answer').count()).toBe(1);
    expect(await page.locator('.progress-card .counters').textContent()).toMatch(/pages? read|已读/);

    const citations = await citationsOf(page, id);
    expect(citations.length).toBeGreaterThan(0);
    for (const { n, quote, start, end, source } of citations) {
      const revision = await get<SourceRevisionView>(page, `/source-revisions/${source.source_revision_id}`);
      expect(revision.text.slice(start, end)).toBe(quote);
      if (n > 3) continue;
      await openCitation(page, n);
      await expect.poll(() => page.evaluate(markedText)).toBe(quote);
    }
    await openCitation(page, 1);
    await takePicture(page, `screenshot-${name}.png`);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.file-row', { hasText: 'report.md' }).click(),
    ]);
    const report = await readFile(await download.path(), 'utf8');
    for (const { n } of citations) expect(report).toContain(`[${n}]`);
    await context.close();
  },
);

it('[TK-04] a running task of the product is stopped from the screen', async () => {
  const { page, context } = await signedIn('en');
  await page.getByRole('radio', { name: 'Research' }).check();
  await ask(page, 'How does npm resolve peer dependencies, and what are workspaces, overrides and lock files?');
  await page.locator('.stop').click();
  await expect.poll(() => page.locator('.progress-status').textContent(), { timeout: 60_000 }).toBe('Stopped');
  await page.reload();
  await expect.poll(() => page.locator('.progress-status').textContent()).toBe('Stopped');
  await context.close();
});

it('[CH-02] a greeting is answered without a task', async () => {
  const { page, context } = await signedIn('zh-CN');
  await ask(page, '你好');
  await page.locator('.answer .prose').waitFor();
  expect(await page.locator('.progress-card').count()).toBe(0);
  await context.close();
});
