/**
 * Stands in our world of every frame, before the scripts of the page. It remembers what handles stand for, and it judges trusted
 * input while an action is armed: an event that is not for the element that was meant, or that no longer means the same, is
 * swallowed before the page hears of it. So check and input are one task of the page, whatever moved a moment before.
 */
export const GUARD_SCRIPT = String.raw`(() => {
  if (globalThis.yunsou) return;
  const memory = { elements: [], armed: null };
  Object.defineProperty(globalThis, 'yunsou', { value: memory });
  const judge = (event) => {
    const armed = memory.armed;
    if (armed === null || !event.isTrusted) return;
    const isMeant = armed.element !== null && event.composedPath().includes(armed.element);
    if (armed.refused === null && armed.passed.length === 0) {
      if (!isMeant) armed.refused = 'something else lies there now';
      else if (!armed.stillMeans()) armed.refused = 'it means something else now';
    }
    const isStray = event.type === 'click' && !isMeant;
    if (armed.refused === null && !isStray) { armed.passed.push(event.type); return; }
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'keydown', 'keypress', 'keyup', 'beforeinput'])
    addEventListener(type, judge, { capture: true });
})()`;
