import axe from 'axe-core';
import { expect } from 'vitest';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import type { ScriptedProduct } from './scripted-product.ts';

export type Screen = { readonly page: Page; readonly context: BrowserContext; readonly faults: string[] };

/** A signed-in page on the first screen. `faults` gathers what the browser itself complains about. */
export async function openScreen(
  browser: Browser,
  product: { signInUrl(): string },
  options: BrowserContextOptions = {},
): Promise<Screen> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en',
    timezoneId: 'Asia/Shanghai',
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== '127.0.0.1' && protocol !== 'data:' && protocol !== 'blob:')
      faults.push(`foreign request ${request.url()}`);
  });
  await page.goto(product.signInUrl());
  await page.locator('.home .composer-box').waitFor();
  return { page, context, faults };
}

/** Writes a question on the first screen, sends it with Enter, and returns the id of the new conversation. */
export async function ask(page: Page, question: string): Promise<string> {
  await page.locator('.composer-box').fill(question);
  await page.locator('.composer-box').press('Enter');
  await page.waitForURL('**/c/*');
  await page.locator('.question:not(.pending)').first().waitFor();
  return new URL(page.url()).pathname.slice('/c/'.length);
}

/** The number of messages that the server has of a conversation. */
export const storedMessages = (product: ScriptedProduct, id: string): number =>
  (product.conversation(id).state['messages'] as unknown[]).length;

/** WCAG 2.2 A and AA. The source of axe is evaluated through the debugger, so the page's own policy stays as it is. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const result = await run({ runOnly: { type: 'tag', values: tags } });
    return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  });
  expect(violations, where).toEqual([]);
}
