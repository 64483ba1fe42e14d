/** Keys that work anywhere on the page, as long as nobody is typing. */
export type ShortcutTargets = {
  focusBox(): void;
  showSheet(): void;
  closePanel(): boolean;
  stepSource(by: 1 | -1): boolean;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=radio]), textarea, select, [contenteditable]') !== null;

export function listenForShortcuts(targets: ShortcutTargets): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
    if (event.key === 'Escape') {
      if (targets.closePanel()) event.preventDefault();
      return;
    }
    if (isTyping(event.target)) return;
    if (event.key === '/') targets.focusBox();
    else if (event.key === '?') targets.showSheet();
    else if (event.key === '[' && targets.stepSource(-1)) event.preventDefault();
    else if (event.key === ']' && targets.stepSource(1)) event.preventDefault();
    if (event.key === '/' || event.key === '?') event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
