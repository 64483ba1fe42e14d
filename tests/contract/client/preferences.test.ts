import { expect, it } from 'vitest';
import { followsInstallation, readPreferences } from '#client/data/preferences.ts';

const storage = (saved: string | null) => ({ getItem: () => saved });

it('[CH-10] a choice wins over the browser, the browser over the installation', () => {
  expect(readPreferences(storage('{"language":"zh-CN"}'), 'en-US').language).toBe('zh-CN');
  expect(readPreferences(storage(null), 'zh-TW').language).toBe('zh-CN');
  expect(readPreferences(storage(null), 'en-GB').language).toBe('en');
});

it.each([
  [null, 'fr-FR', true],
  [null, 'zh-CN', false],
  [null, 'en', false],
  ['{"language":"en"}', 'fr-FR', false],
] as const)('[CH-10] saved %j in a browser of %s follows the installation: %s', (saved, browser, follows) => {
  expect(followsInstallation(storage(saved), browser)).toBe(follows);
});
