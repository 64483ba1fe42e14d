/**
 * Runs inside the page and returns its content as HTML source with what is hidden by computed style marked, frames of the same
 * origin and open shadow trees put in place, and what cannot be read named. Plain script text: it is compiled in the page.
 */
export const SERIALIZE_SCRIPT = String.raw`(() => {
  const maxChars = 18000000;
  const VOID = new Set(['area','base','br','col','embed','hr','img','input','link','meta','source','track','wbr']);
  const SKIP = new Set(['style','template','svg','canvas','object','embed','video','audio']);
  const KEEP = new Set(['class','id','role','lang','xml:lang','href','src','alt','title','itemprop','itemscope','itemtype','itemid','content','datetime',
    'property','name','value','type','rel','colspan','rowspan','scope','hidden','aria-hidden','aria-label','http-equiv','charset','alttext','data-price','data-sku']);
  const out = [];
  let size = 0, cut = false, hasInner = false;
  const put = (text) => { if (size > maxChars) { cut = true; return; } size += text.length; out.push(text); };
  const escapeText = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const escapeValue = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
  const isInvisible = (element, style) => {
    if (style.display === 'none') return true;
    if (style.fontSize === '0px' && element.children.length === 0) return true;
    if (style.position === 'absolute' || style.position === 'fixed') {
      const box = element.getBoundingClientRect();
      if (box.width <= 1 && box.height <= 1 && (style.overflow === 'hidden' || style.clip !== 'auto' || style.clipPath !== 'none')) return true;
      if (box.right < -2000 || box.bottom + element.ownerDocument.defaultView.scrollY < -2000) return true;
    }
    return false;
  };
  const attributes = (element, extra) => {
    let text = '';
    for (const { name, value } of element.attributes) {
      if (!KEEP.has(name.toLowerCase()) || value.length > 100000) continue;
      if (name === 'value' && /^(input|textarea|select|option)$/i.test(element.localName)) continue;
      text += ' ' + name + '="' + escapeValue(value) + '"';
    }
    return text + extra;
  };
  const unread = (element, reason) => put('<div data-yunsou-unread="' + escapeValue(reason) + '"></div>');
  const frame = (element, depth) => {
    let inner = null;
    try { inner = element.contentDocument; } catch { inner = null; }
    if (inner && inner.body) {
      if (/\S/.test(inner.body.textContent)) hasInner = true;
      put('<div data-yunsou-frame="1">');
      for (const child of inner.body.childNodes) visit(child, depth + 1, inner.defaultView);
      put('</div>');
    } else if (element.src) unread(element, 'frame of another origin: ' + element.src.slice(0, 200));
  };
  const visit = (node, depth, view) => {
    if (cut || depth > 2000) return;
    if (node.nodeType === 3) { put(escapeText(node.data)); return; }
    if (node.nodeType !== 1) return;
    const tag = node.localName;
    if (tag === 'script') {
      if (/ld\+json/i.test(node.type)) put('<script type="application/ld+json">' + node.textContent.replace(/<\/script/gi, '<\\/script') + '</script>');
      else put('<script></script>');
      return;
    }
    if (tag === 'noscript') { put('<noscript>' + escapeText(node.textContent.slice(0, 500)) + '</noscript>'); return; }
    if (tag === 'canvas' && node.width * node.height > 20000) { unread(node, 'drawn on a canvas'); return; }
    if (SKIP.has(tag)) return;
    let extra = '';
    if (view && node.namespaceURI === 'http://www.w3.org/1999/xhtml') {
      const style = view.getComputedStyle(node);
      if (tag !== 'body' && isInvisible(node, style)) {
        if (tag === 'head' || tag === 'title' || tag === 'meta' || tag === 'link' || tag === 'base') extra = '';
        else extra = ' data-yunsou-hidden="style"';
      } else if (style.visibility !== 'visible' && tag !== 'body' && !node.querySelector('*')) extra = ' data-yunsou-hidden="style"';
    }
    if (tag === 'iframe' || tag === 'frame') { if (extra === '') frame(node, depth); return; }
    put('<' + tag + attributes(node, extra) + '>');
    if (VOID.has(tag)) return;
    const root = node.shadowRoot;
    if (root) {
      hasInner = true;
      for (const child of root.childNodes) visit(child, depth + 1, view);
      if (node.hasChildNodes()) put(' ');
    } else if (node.__yunsouClosed === true) unread(node, 'closed shadow tree');
    if (tag === 'slot' && node.assignedNodes && node.assignedNodes().length > 0) { put('</slot>'); return; }
    for (const child of node.childNodes) visit(child, depth + 1, view);
    put('</' + tag + '>');
  };
  put('<!doctype html>');
  visit(document.documentElement, 0, window);
  return { html: out.join(''), isCut: cut, hasInner, title: document.title, url: location.href };
})()`;

/** Remembers which elements hide their content in a closed shadow tree, so that a reading can say so. */
export const SHADOW_SCRIPT = `(() => {
  const attach = Element.prototype.attachShadow;
  let closed = 0;
  Object.defineProperty(globalThis, '__yunsouClosedShadows', { get: () => closed });
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    if (root.mode === 'closed') { closed += 1; Object.defineProperty(this, '__yunsouClosed', { value: true }); }
    return root;
  };
})()`;
