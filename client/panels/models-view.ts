import type { ModelProbeView, ModelView } from '#contracts/http/models.ts';
import type { AppContext } from '../app/context.ts';
import { toProblem } from '../data/problem.ts';
import type { Catalogue } from '../i18n/en.ts';
import { button } from '../ui/button.ts';
import { h, replace } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { icon } from '../ui/icon.ts';

/** Which engine makes proposals, and the profiles there are. A test asks the endpoint really, and costs what it costs. */
export function createModelsView(context: AppContext): HTMLElement {
  const { texts, api } = context;
  const body = h('div', { class: 'root-list' }, h('p', { class: 'skeleton', role: 'status' }, texts.loading));

  async function load(): Promise<void> {
    try {
      const { engine, models } = await api.models();
      const chosen = models.find((model) => model.is_default);
      const usable = models.filter((model) => !model.is_default && model.problem === null);
      replace(
        body,
        h('p', { class: 'model-engine' }, engine === 'extractive' ? texts.modelsNone : texts.modelsChosen),
        h('ul', { class: 'roots' }, ...[...(chosen === undefined ? [] : [chosen]), ...usable].map((one) => row(one))),
        h('p', { class: 'hint' }, texts.modelsHint),
      );
    } catch (thrown) {
      replace(body, h('p', { class: 'empty' }, explainCode(toProblem(thrown).code, texts)));
      body.append(button(texts.retry, { icon: 'refresh', press: () => void load() }));
    }
  }

  function row(model: ModelView): HTMLElement {
    const result = h('div', { class: 'system-result', 'aria-live': 'polite' });
    const test = button(texts.modelTest, { icon: 'refresh', look: 'quiet', press: () => void probe() });
    test.setAttribute('aria-label', `${texts.modelTest}: ${model.profile}`);
    async function probe(): Promise<void> {
      test.disabled = true;
      replace(result, h('p', { class: 'hint' }, texts.modelTesting));
      try {
        replace(result, ...verdict(await api.probeModel(model.profile), context));
      } catch (thrown) {
        replace(result, h('p', { class: 'empty' }, explainCode(toProblem(thrown).code, texts)));
      } finally {
        test.disabled = false;
      }
    }
    return h(
      'li',
      { class: 'root', 'data-state': model.problem === null ? 'ready' : 'failed' },
      h(
        'div',
        { class: 'root-text' },
        h('p', { class: 'root-name' }, model.is_default ? `${model.profile} · ${texts.modelInUse}` : model.profile),
        h(
          'p',
          { class: 'root-path technical' },
          `${model.model} · ${model.host} · ${texts.modelVersion(model.version)}`,
        ),
        h('p', { class: 'root-state' }, priceWords(model, texts)),
        model.problem !== null && problemLine(model.problem, texts),
      ),
      h('div', { class: 'root-actions' }, test),
      result,
    );
  }

  void load();
  return h(
    'section',
    { class: 'settings-section' },
    h('h2', { class: 'section-heading' }, texts.models),
    h('p', { class: 'hint' }, texts.modelsLead),
    body,
  );
}

function priceWords({ prices }: ModelView, texts: Catalogue): string {
  if (prices === null) return texts.modelNoPrice;
  const words = texts.modelPrice(prices.version, prices.date);
  return prices.complete ? words : `${words} · ${texts.modelPriceIncomplete}`;
}

/** What it means in the reader's language; the server's own words beside it. */
function problemLine(
  { code, message }: { readonly code: string; readonly message: string },
  texts: Catalogue,
): HTMLElement {
  return h(
    'details',
    { class: 'model-problem' },
    h('summary', {}, explainCode(code, texts)),
    h('p', { class: 'technical' }, message),
  );
}

function verdict(report: ModelProbeView, context: AppContext): HTMLElement[] {
  const { texts } = context;
  if (report.problem !== null) return [problemLine(report.problem, texts)];
  const bad = report.checks.filter((check) => !check.is_met).length;
  const list = h('ul', { class: 'system-list' });
  for (const { name, expected, found, is_met, code } of report.checks) {
    const words = code === null ? (is_met ? texts.systemOk : texts.modelDiffers) : explainCode(code, texts);
    list.append(
      h(
        'li',
        { 'data-ok': String(is_met) },
        icon(is_met ? 'check' : 'alert', 16),
        h('span', { class: 'system-name' }, `${checkName(name, texts)}: ${words}`),
        h('span', { class: 'technical' }, is_met ? found : `${expected} → ${found}`),
      ),
    );
  }
  return [
    h('p', { class: 'system-line' }, bad === 0 ? texts.modelFits : texts.modelMisfits(bad)),
    list,
    h('p', { class: 'system-line' }, `${texts.cost}: ${probeCost(report, context)}`),
  ];
}

function probeCost({ cost }: ModelProbeView, { texts, format }: AppContext): string {
  const { amounts, unknown } = cost;
  const sums = amounts.map(({ currency, minor }) => format.money(minor, currency)).join(' + ');
  if (unknown.length > 0) return sums === '' ? texts.costUnknown : texts.costAtLeast(sums);
  return sums === '' ? texts.costNone : sums;
}

function checkName(name: string, texts: Catalogue): string {
  const words: Readonly<Record<string, string>> = {
    streaming: texts.checkStreaming,
    usage: texts.checkUsage,
    reasoning: texts.checkReasoning,
    tools: texts.checkTools,
    'tool results': texts.checkToolResults,
    'structured output': texts.checkStructured,
    'parallel tools': texts.checkParallel,
  };
  return words[name] ?? name;
}
