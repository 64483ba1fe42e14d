/** What a key press in the box means. Pure, so that every input method can be tried as data. */
export const MAX_TEXT_CHARS = 20_000;

export type KeyFacts = {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
  /** Safari ends the composition first and then reports the Enter that ended it, in the same task. */
  readonly compositionJustEnded: boolean;
};

export type KeyMeaning = 'send' | 'recall' | 'none';

/** 229 is "an input method is using this key"; one browser sets only that, another only `isComposing`. */
const INPUT_METHOD_KEY_CODE = 229;

export const belongsToInputMethod = (
  facts: Pick<KeyFacts, 'isComposing' | 'keyCode' | 'compositionJustEnded'>,
): boolean => facts.isComposing || facts.keyCode === INPUT_METHOD_KEY_CODE || facts.compositionJustEnded;

export function judgeKey(facts: KeyFacts, box: { readonly text: string; readonly touch: boolean }): KeyMeaning {
  if (belongsToInputMethod(facts)) return 'none';
  if (facts.key === 'Enter') {
    if (facts.ctrlKey || facts.metaKey) return 'send';
    return facts.shiftKey || facts.altKey || box.touch ? 'none' : 'send';
  }
  const plain = !facts.shiftKey && !facts.ctrlKey && !facts.metaKey && !facts.altKey;
  return facts.key === 'ArrowUp' && plain && box.text === '' ? 'recall' : 'none';
}

export type TextCheck = { readonly sendable: boolean; readonly tooLong: boolean; readonly nearLimit: boolean };

export function checkText(text: string): TextCheck {
  const tooLong = text.length > MAX_TEXT_CHARS;
  return { sendable: text.trim() !== '' && !tooLong, tooLong, nearLimit: text.length > MAX_TEXT_CHARS * 0.9 };
}

/** The first line, short enough to be a name. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  const letters = Array.from(line);
  return letters.length <= 80 ? line : `${letters.slice(0, 79).join('')}…`;
}
