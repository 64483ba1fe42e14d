/**
 * Runs in our own world of a document, a function of limits that answers when the text has come to rest, or when it is worth a
 * first draft of the reading. It counts every change that can alter what is read, from its first call on. Length is measured only
 * after a change, because measuring lays the page out.
 */
export const REST_SCRIPT = String.raw`(limits) => {
  const watch = globalThis.yunsouWatch || (() => {
    const fresh = { changes: 1, at: performance.now(), length: -1, since: performance.now(), measured: 0 };
    Object.defineProperty(globalThis, 'yunsouWatch', { value: fresh });
    const note = () => { fresh.changes += 1; fresh.at = performance.now(); };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true, attributes: true,
      attributeFilter: ['class', 'style', 'hidden', 'aria-hidden', 'open', 'href', 'src', 'content'] });
    // A style sheet that arrives late shows or hides text, a frame brings its own, and neither changes an element.
    addEventListener('load', ({ target }) => { if (target && /^(LINK|STYLE|IFRAME|FRAME)$/.test(target.nodeName)) note(); }, { capture: true });
    return fresh;
  })();
  const began = performance.now();
  const measure = () => {
    if (watch.measured === watch.changes) return;
    watch.measured = watch.changes;
    const length = document.body ? document.body.innerText.length : 0;
    if (length !== watch.length) watch.since = watch.length < 0 ? watch.at : performance.now();
    watch.length = length;
  };
  const isGarbled = () => {
    const text = (document.body ? document.body.innerText : '').slice(0, 50000);
    const broken = (text.match(/\ufffd/g) || []).length;
    return broken >= 5 && broken * 20 > (text.match(/[^\x00-\x7f]/g) || []).length;
  };
  const quietMs = () => {
    const hasScripts = document.scripts.length > 0;
    if (hasScripts && watch.length < limits.thinChars) return limits.thinMs;
    if (document.readyState !== 'complete') return limits.loadingMs;
    return hasScripts ? limits.completeMs : 0;
  };
  return new Promise((resolve) => {
    const answer = (state) => resolve({ state, changes: watch.changes, isGarbled: state !== 'draft' && isGarbled() });
    const look = () => {
      const now = performance.now();
      if (document.readyState !== 'loading') {
        measure();
        // A page without any text may still be fetching it.
        const mayRest = watch.length > 0 || now - began > limits.maxMs / 2;
        if (mayRest && now - watch.since >= quietMs()) return answer('rest');
        const isWorthIt = watch.length >= limits.thinChars && watch.changes !== limits.drafted && now - watch.at >= limits.draftMs;
        if (limits.drafts > 0 && isWorthIt) return answer('draft');
      }
      if (now - began > limits.maxMs) return answer('late');
      setTimeout(look, limits.lookMs);
    };
    look();
  });
}`;

/** How many changes there have been; 0 where nobody counted. */
export const CHANGES_SCRIPT = `(() => globalThis.yunsouWatch ? globalThis.yunsouWatch.changes : 0)()`;
