import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import type { PageGlobals } from './support/page-globals.ts';
import { openBrowser } from './support/product-browser.ts';
import { ask, openScreen, storedMessages } from './support/screen.ts';
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

it('[CH-07] Enter that confirms pinyin sends nothing; the next Enter sends the Chinese text', async () => {
  const { page, context } = await openScreen(browser, product, { locale: 'zh-CN' });
  const id = await ask(page, '你好');
  const box = page.locator('.composer-box');
  await box.focus();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Input.imeSetComposition', { text: 'nihao', selectionStart: 5, selectionEnd: 5 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  expect(storedMessages(product, id)).toBe(1);
  expect((await box.inputValue()).replaceAll('\n', '')).toBe('nihao');
  await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', windowsVirtualKeyCode: 229 });
  await cdp.send('Input.insertText', { text: '你好吗' });
  await expect.poll(() => box.inputValue()).toBe('你好吗');
  expect(storedMessages(product, id)).toBe(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => storedMessages(product, id)).toBe(2);
  expect(await box.inputValue()).toBe('');
  await context.close();
});

it('[CH-07] the order of Safari, composition end before its Enter, sends nothing', async () => {
  const { page, context } = await openScreen(browser, product);
  const id = await ask(page, 'first');
  const box = page.locator('.composer-box');
  await box.fill('ni hao');
  const prevented = await box.evaluate((element) => {
    const { KeyboardEvent, CompositionEvent } = globalThis as unknown as PageGlobals;
    const enter = (keyCode: number): boolean => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
      Object.defineProperty(event, 'keyCode', { value: keyCode });
      return !element.dispatchEvent(event);
    };
    element.dispatchEvent(new CompositionEvent('compositionstart'));
    element.dispatchEvent(new CompositionEvent('compositionend'));
    return [enter(229), enter(13)];
  });
  expect(prevented).toEqual([false, false]);
  expect(await box.inputValue()).toBe('ni hao');
  expect(storedMessages(product, id)).toBe(1);
  await box.press('Enter');
  await expect.poll(() => storedMessages(product, id)).toBe(2);
  await context.close();
});

it('[CH-04] two presses at once are one message', async () => {
  const { page, context } = await openScreen(browser, product);
  const id = await ask(page, 'first');
  await page.locator('.composer-box').fill('second');
  await page.evaluate(() => {
    const { document } = globalThis as unknown as PageGlobals;
    const send = document.querySelector('.send');
    send?.click();
    send?.click();
  });
  await expect.poll(() => storedMessages(product, id)).toBe(2);
  await page.locator('.composer-box').fill('third');
  await page.locator('.composer-box').press('Enter');
  await expect.poll(() => storedMessages(product, id)).toBe(3);
  await context.close();
});

it('[CH-07] drafts survive a reload, each in its own place; Up brings the last question back', async () => {
  const { page, context } = await openScreen(browser, product);
  const box = page.locator('.composer-box');
  await box.fill('a draft on the first screen');
  await page.reload();
  await expect.poll(() => box.inputValue()).toBe('a draft on the first screen');
  await ask(page, 'what was asked');
  expect(await box.inputValue()).toBe('');
  await box.press('ArrowUp');
  expect(await box.inputValue()).toBe('what was asked');
  await box.fill('a draft in the conversation');
  await page.reload();
  await expect.poll(() => box.inputValue()).toBe('a draft in the conversation');
  await context.close();
});

it('[CH-04] a send whose answer is lost is repeated with the same id: one message', async () => {
  const { page, context } = await openScreen(browser, product);
  const id = await ask(page, 'first');
  let lost = 0;
  await page.route('**/messages', async (route) => {
    await route.fetch();
    lost += 1;
    if (lost === 1) return route.abort('connectionreset');
    return route.fallback();
  });
  await page.locator('.composer-box').fill('sent once');
  await page.locator('.composer-box').press('Enter');
  await expect.poll(() => lost, { timeout: 15_000 }).toBe(2);
  await expect.poll(() => page.locator('.question').count()).toBe(2);
  expect(storedMessages(product, id)).toBe(2);
  await context.close();
});

it('[CH-07] a message that is refused goes back into the box with the reason', async () => {
  const { page, context } = await openScreen(browser, product);
  await ask(page, 'first');
  await page.route('**/messages', (route) =>
    route.fulfill({
      status: 409,
      json: { code: 'request.conflict', title: 'x', detail: 'x', status: 409, type: 'about:blank' },
    }),
  );
  const box = page.locator('.composer-box');
  await box.fill('do not lose me');
  await box.press('Enter');
  await expect.poll(() => box.inputValue()).toBe('do not lose me');
  expect(await page.locator('.returned').textContent()).toContain('Your text is back in the box');
  await context.close();
});

it('[CH-07] more than 20,000 characters are refused before sending, and the text stays editable', async () => {
  const { page, context } = await openScreen(browser, product);
  const box = page.locator('.composer-box');
  await box.fill('x'.repeat(20_001));
  expect(await page.locator('.composer-warning').textContent()).toContain('20,001');
  await box.press('Enter');
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await box.isEditable()).toBe(true);
  await context.close();
});

const copyText = (text: string): Promise<void> =>
  (globalThis as unknown as PageGlobals).navigator.clipboard.writeText(text);

it('[CH-07] pasting a megabyte is refused with a message and does not touch the text', async () => {
  const { page, context } = await openScreen(browser, product, { permissions: ['clipboard-read', 'clipboard-write'] });
  const box = page.locator('.composer-box');
  await box.fill('kept');
  await page.evaluate(copyText, 'x\n'.repeat(500_000));
  await box.press('ControlOrMeta+v');
  await expect.poll(() => page.locator('.composer-warning').textContent()).toContain('1,000,000');
  expect(await box.inputValue()).toBe('kept');
  await context.close();
});

it('[CH-09] without a connection the page says so, and sends by itself when it is back', async () => {
  const { page, context } = await openScreen(browser, product);
  const id = await ask(page, 'first');
  await context.setOffline(true);
  await page.locator('.composer-box').fill('written while offline');
  await page.locator('.composer-box').press('Enter');
  await page.locator('.question.pending').waitFor();
  await context.setOffline(false);
  await expect.poll(() => storedMessages(product, id), { timeout: 20_000 }).toBe(2);
  await expect.poll(() => page.locator('.question.pending').count()).toBe(0);
  await context.close();
});

it('[SC-01] an ended session is a sign-in page, not a reconnect loop', async () => {
  const { page, context } = await openScreen(browser, product);
  await context.clearCookies();
  await page.reload();
  await page.locator('.sign-in').waitFor();
  await page.locator('#token').fill('not-a-token-not-a-token');
  await page.locator('.sign-in button').click();
  await page.locator('.form-failure').waitFor();
  await page.locator('#token').fill(product.signInToken());
  await page.locator('.sign-in button').click();
  await page.locator('.home .composer-box').waitFor();
  await context.close();
});
