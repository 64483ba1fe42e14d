/**
 * Whether a person sees what stands at a place of the page. Functions for scripts of our world. Everything is remembered for one pass:
 * an element inherits what its parent is.
 */
export const VISIBILITY_SCRIPT = String.raw`
  const parse = (color) => {
    const found = /^rgba?\(([\d.]+),\s*([\d.]+),\s*([\d.]+)(?:,\s*([\d.]+))?\)$/.exec(color);
    return found ? [+found[1], +found[2], +found[3], found[4] === undefined ? 1 : +found[4]] : null;
  };
  const isNear = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) < 24;
  const ROOT = { shown: true, opacity: 1, aria: false, back: [255, 255, 255, 1], scroller: null, clipped: false, block: null };
  const known = new Map();
  const parentOf = (element) => element.assignedSlot || element.parentElement || (element.getRootNode().host || null);
  const stateOf = (element) => {
    if (element === null) return ROOT;
    const before = known.get(element);
    if (before) return before;
    const parent = stateOf(parentOf(element));
    const style = getComputedStyle(element);
    const own = parse(style.backgroundColor);
    let back = parent.back;
    if (style.backgroundImage !== 'none') back = null;
    else if (own && own[3] > 0.9) back = own;
    else if (own && own[3] > 0.1) back = null;
    const isBox = !/^(inline|contents)$/.test(style.display);
    let clipped = parent.clipped;
    if (isBox && /hidden|clip/.test(style.overflow)) {
      const box = element.getBoundingClientRect();
      clipped = clipped || box.width <= 1 || box.height <= 1;
    }
    if (style.clip !== 'auto' && /absolute|fixed/.test(style.position)) clipped = clipped || /^rect\((0|1)px,? (0|1)px,? (0|1)px,? (0|1)px\)$/.test(style.clip);
    if (/^inset\((50|100)%/.test(style.clipPath)) clipped = true;
    const state = {
      shown: parent.shown && style.display !== 'none' && style.contentVisibility !== 'hidden',
      visible: style.visibility === 'visible',
      opacity: parent.opacity * Number(style.opacity),
      aria: parent.aria || element.getAttribute('aria-hidden') === 'true',
      back,
      clipped,
      size: parseFloat(style.fontSize),
      color: parse(style.color),
      scroller: isBox && /auto|scroll/.test(style.overflowY + style.overflowX) ? element : parent.scroller,
      block: isBox ? element : parent.block,
    };
    known.set(element, state);
    return state;
  };
  const limits = { hits: 800 };
  const contains = (outer, inner) => {
    for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
    return false;
  };
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const isCovered = (element, box, state) => {
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || limits.hits <= 0) return false;
    if (state.scroller && state.scroller !== document.documentElement && state.scroller !== document.body) {
      const view = state.scroller.getBoundingClientRect();
      if (x < view.left || x > view.right || y < view.top || y > view.bottom) return false;
    }
    limits.hits -= 1;
    const hit = hitAt(x, y);
    if (hit === null || contains(element, hit) || contains(hit, element)) return false;
    return !(element.labels && [...element.labels].some((label) => contains(label, hit)));
  };
  /** null: not shown at all. */
  const visibilityOf = (element, box, isText) => {
    const state = stateOf(element);
    if (!state.shown || !state.visible) return null;
    if (state.aria) return 'aria_hidden';
    if (state.opacity < 0.1) return 'transparent';
    if (isText && state.color && (state.color[3] < 0.1 || (state.back && isNear(state.color, state.back)))) return 'transparent';
    if (state.clipped || box.width < 1 || box.height < 2 || (isText && state.size < 3)) return 'tiny';
    const page = document.scrollingElement || document.documentElement;
    if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0 || box.left + scrollX >= Math.max(page.scrollWidth, innerWidth)) return 'off_screen';
    return isCovered(element, box, state) ? 'covered' : 'visible';
  };
`;
