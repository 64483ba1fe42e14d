import type { Catalogue } from '../i18n/en.ts';
import { createDialog, type Dialog } from '../ui/dialog.ts';
import { h } from '../ui/element.ts';

export function createShortcutsDialog(texts: Catalogue): Dialog {
  const rows: readonly [string, string][] = [
    [texts.keyEnter, texts.scSend],
    [texts.keyModEnter, texts.scSend],
    [texts.keyShiftEnter, texts.scNewline],
    [texts.keyUp, texts.scRecall],
    [texts.keySlash, texts.scFocus],
    [texts.keyBrackets, texts.scCitations],
    [texts.keyEscape, texts.scClose],
    [texts.keyQuestion, texts.scSheet],
  ];
  const list = h('dl', { class: 'shortcuts' });
  for (const [keys, meaning] of rows) list.append(h('dt', {}, h('kbd', {}, keys)), h('dd', {}, meaning));
  return createDialog(texts.shortcuts, texts.close, list, 'sheet');
}
