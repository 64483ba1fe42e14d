/**
 * What a control means: its role, name, the row it stands in, where it leads. Functions for scripts of our world; the same code tells
 * it when a page is observed and again when a handle is used.
 */
export const MEANING_SCRIPT = String.raw`
  const squeeze = (text) => text.replace(/\s+/g, ' ').trim();
  const ROW = 'tr,li,dt,dd,[role=row],[role=listitem],[role=option],[role=treeitem],article,fieldset,form';
  const NO_TEXT = new Set(['script', 'style', 'noscript', 'template', 'select', 'textarea', 'svg']);
  const textIn = (element, limit) => {
    let text = '';
    const walk = (node) => {
      for (const child of (node.shadowRoot || node).childNodes) {
        if (text.length > limit * 2) return;
        if (child.nodeType === 3) text += child.data;
        else if (child.nodeType === 1 && !NO_TEXT.has(child.localName)) {
          if (child.localName === 'img') text += ' ' + (child.getAttribute('alt') || '') + ' ';
          else { text += ' '; walk(child); text += ' '; }
        }
      }
    };
    walk(element);
    return squeeze(text).slice(0, limit);
  };
  const INPUT_ROLES = { checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button', reset: 'button', image: 'button', search: 'searchbox',
    range: 'slider', number: 'spinbutton', file: 'file', password: 'password' };
  const roleOf = (element) => {
    const own = (element.getAttribute('role') || '').trim().split(/\s+/)[0].toLowerCase();
    if (own && own !== 'none' && own !== 'presentation') return own;
    const tag = element.localName;
    if (tag === 'a' || tag === 'area') return element.hasAttribute('href') ? 'link' : 'generic';
    if (tag === 'button' || tag === 'summary') return 'button';
    if (tag === 'textarea') return 'textbox';
    if (tag === 'select') return 'combobox';
    if (tag === 'input') return INPUT_ROLES[element.type] || 'textbox';
    return element.isContentEditable ? 'textbox' : 'generic';
  };
  const byIds = (element, name) => squeeze((element.getAttribute(name) || '').split(/\s+/).slice(0, 10).map((id) => {
    const other = id ? element.getRootNode().getElementById(id) : null;
    return other ? textIn(other, 200) : '';
  }).join(' '));
  const nameOf = (element) => {
    const labels = element.labels;
    const type = element.localName === 'input' ? element.type : '';
    const candidates = [
      () => byIds(element, 'aria-labelledby'),
      () => element.getAttribute('aria-label'),
      () => (/^(submit|reset|button)$/.test(type) ? element.value || type : ''),
      () => (labels && labels.length > 0 ? textIn(labels[0], 200) : ''),
      () => element.getAttribute('alt'),
      () => (/^(input|select|textarea)$/.test(element.localName) ? '' : textIn(element, 200)),
      () => element.getAttribute('title'),
      () => element.getAttribute('placeholder'),
      () => element.getAttribute('name'),
    ];
    for (const candidate of candidates) {
      const name = squeeze(candidate() || '').slice(0, 200);
      if (name) return name;
    }
    return '';
  };
  const rowTexts = new Map();
  const rowOf = (element) => {
    const row = element.parentElement && element.parentElement.closest(ROW);
    const around = row || element.parentElement;
    if (!around || around === document.body) return '';
    if (!rowTexts.has(around)) rowTexts.set(around, textIn(around, 240));
    return rowTexts.get(around);
  };
  const addressOf = (value) => {
    try { return new URL(value, document.baseURI).href.slice(0, 2000); } catch { return value.slice(0, 2000); }
  };
  const formOf = (element) => {
    const form = element.closest('form') || (element.getAttribute('form') && element.getRootNode().getElementById(element.getAttribute('form')));
    if (!form || form.localName !== 'form') return null;
    const own = (name) => element.getAttribute('form' + name) || form.getAttribute(name) || '';
    return { element: form, method: (own('method') || 'get').toLowerCase(), action: addressOf(own('action')) };
  };
  const meaningOf = (element) => {
    const form = formOf(element);
    const link = element.closest('a[href],area[href]');
    return {
      role: roleOf(element),
      name: nameOf(element),
      row: rowOf(element),
      href: link ? addressOf(link.getAttribute('href')) : null,
      form: form && { method: form.method, action: form.action },
    };
  };
  const SECRET_NAME = /pass(word|wd|code)?$|passwd|card.?(num|no)|cc.?num|cvc|cvv|csc|one.?time|\botp\b|\bpin\b|ssn|iban/i;
  const isSecret = (element) => element.type === 'password'
    || /(^|\s)(cc-|one-time-code|current-password|new-password)/.test(element.getAttribute('autocomplete') || '')
    || SECRET_NAME.test(element.getAttribute('name') || '') || SECRET_NAME.test(element.id || '')
    || (getComputedStyle(element).webkitTextSecurity || 'none') !== 'none';
`;
