import { expect, it } from 'vitest';
import { checkText, judgeKey, titleOf, type KeyFacts } from '#client/chat/composer-model.ts';

const press = (change: Partial<KeyFacts> = {}): KeyFacts => ({
  key: 'Enter',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 13,
  compositionJustEnded: false,
  ...change,
});
const BOX = { text: 'a question', touch: false };

it('[CH-07] Enter sends, Shift+Enter breaks the line, Ctrl or Command with Enter always sends', () => {
  expect(judgeKey(press(), BOX)).toBe('send');
  expect(judgeKey(press({ shiftKey: true }), BOX)).toBe('none');
  expect(judgeKey(press({ ctrlKey: true }), { ...BOX, touch: true })).toBe('send');
  expect(judgeKey(press({ metaKey: true }), BOX)).toBe('send');
});

it('[CH-07] on a touch keyboard Enter breaks the line', () => {
  expect(judgeKey(press(), { ...BOX, touch: true })).toBe('none');
});

it('[CH-07] Enter that belongs to an input method never sends, whichever sign the browser gives', () => {
  expect(judgeKey(press({ isComposing: true }), BOX)).toBe('none');
  expect(judgeKey(press({ keyCode: 229 }), BOX)).toBe('none');
  expect(judgeKey(press({ compositionJustEnded: true }), BOX)).toBe('none');
  expect(judgeKey(press({ isComposing: true, ctrlKey: true }), BOX)).toBe('none');
});

it('[CH-07] the last question comes back only into an empty box', () => {
  expect(judgeKey(press({ key: 'ArrowUp', keyCode: 38 }), { text: '', touch: false })).toBe('recall');
  expect(judgeKey(press({ key: 'ArrowUp', keyCode: 38 }), BOX)).toBe('none');
});

it('[CH-07] more than 20,000 characters, or only white space, is not sent', () => {
  expect(checkText('x'.repeat(20_000))).toMatchObject({ sendable: true, tooLong: false });
  expect(checkText('x'.repeat(20_001))).toMatchObject({ sendable: false, tooLong: true });
  expect(checkText(' \n\t').sendable).toBe(false);
});

it('[CH-01] the name of a conversation is the first line, cut between whole characters', () => {
  expect(titleOf('  第一行\n第二行')).toBe('第一行');
  expect(Array.from(titleOf('😀'.repeat(100)))).toHaveLength(80);
});
