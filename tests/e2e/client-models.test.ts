import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import { openBrowser } from './support/product-browser.ts';
import { expectAccessible, openScreen } from './support/screen.ts';
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
  ['en', 'Test', /2 checks differ/, /≥ \$0.015 \+ unknown/, /did not accept the key/],
  ['zh-CN', '测试', /有 2 项与档案不一致/, /≥ US\$0.015 \+ 未知/, /没有接受密钥/],
] as const)(
  '[RO-06] the settings show the model in use and test it, in words of the reader: %s',
  async (locale, test, verdict, cost, refused) => {
    const { page, context, faults } = await openScreen(browser, product, { locale });
    await page.goto(`${product.url}/settings`);
    const model = page.locator('.root', { hasText: 'claude-sonnet-5-5' });
    await model.waitFor();
    expect(await page.locator('.root', { hasText: 'models.example.org' }).count()).toBe(0);
    await model.getByRole('button', { name: test }).click();
    const result = model.locator('.system-result');
    await result.locator('.system-list').waitFor();
    const words = (await result.textContent()) ?? '';
    for (const expected of [verdict, cost, refused]) expect(words).toMatch(expected);
    expect(faults).toEqual([]);
    await expectAccessible(page, `settings with a test, ${locale}`);
    await context.close();
  },
);
