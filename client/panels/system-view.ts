import type { Ready } from '#contracts/http/system.ts';
import type { AppContext } from '../app/context.ts';
import { toProblem } from '../data/problem.ts';
import { button } from '../ui/button.ts';
import { h, replace } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { icon } from '../ui/icon.ts';

/** What works right now. Checked when asked: the check starts a real browser. */
export function createSystemView(context: AppContext): HTMLElement {
  const { texts, api } = context;
  const result = h('div', { class: 'system-result', 'aria-live': 'polite' });
  const check = button(texts.systemCheck, { icon: 'refresh', press: () => void run() });

  async function run(): Promise<void> {
    check.disabled = true;
    replace(result, h('p', { class: 'hint' }, texts.systemChecking));
    try {
      const [ready, session] = await Promise.all([api.ready(), api.session()]);
      replace(result, ...parts(context, ready), line(texts.systemVersion, session.version));
    } catch (thrown) {
      replace(result, h('p', { class: 'empty' }, explainCode(toProblem(thrown).code, texts)));
    } finally {
      check.disabled = false;
    }
  }
  return h(
    'section',
    { class: 'settings-section' },
    h('h2', { class: 'section-heading' }, texts.system),
    result,
    check,
    h('p', { class: 'hint' }, texts.engineExtractive),
  );
}

function parts({ texts }: AppContext, ready: Ready): HTMLElement[] {
  const rows: [string, { ok: boolean; detail: string }][] = [
    [texts.systemDatabase, ready.database],
    [texts.systemWire, ready.wire],
    [texts.systemBrowser, ready.browser],
    [texts.systemLibrary, ready.library],
    [texts.systemWorkers, ready.workers],
  ];
  const list = h('ul', { class: 'system-list' });
  for (const [name, { ok, detail }] of rows) {
    list.append(
      h(
        'li',
        { 'data-ok': String(ok) },
        icon(ok ? 'check' : 'alert', 16),
        h('span', { class: 'system-name' }, `${name}: ${ok ? texts.systemOk : texts.systemBad}`),
        h('span', { class: 'technical' }, detail),
      ),
    );
  }
  return [list, line(texts.systemEngine, ready.engine)];
}

const line = (name: string, value: string): HTMLElement => h('p', { class: 'system-line' }, `${name}: ${value}`);
