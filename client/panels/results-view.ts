import type { ArtifactView } from '#contracts/http/research.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import { fileList } from '../chat/artifact-card.ts';
import { toProblem } from '../data/problem.ts';
import type { AppState } from '../data/store.ts';
import { button } from '../ui/button.ts';
import { h, replace } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { icon } from '../ui/icon.ts';
import { guessLanguage } from '../ui/text-language.ts';

/** Every sealed package, newest first. */
export function createResultsView(context: AppContext): View<AppState> {
  const { texts } = context;
  const list = h('div', { class: 'results-list' }, h('p', { class: 'skeleton', role: 'status' }, texts.loading));
  const element = h('div', { class: 'page' }, h('h1', { class: 'page-title' }, texts.results), list);

  async function load(): Promise<void> {
    try {
      const artifacts = await context.api.artifacts();
      if (artifacts.length === 0) return replace(list, h('p', { class: 'empty' }, texts.noResults));
      replace(list, ...artifacts.map((artifact) => resultCard(context, artifact)));
    } catch (thrown) {
      const again = button(texts.retry, { icon: 'refresh', press: () => void load() });
      replace(list, h('p', { class: 'empty' }, explainCode(toProblem(thrown).code, texts)), again);
    }
  }
  void load();
  return { element, update: () => undefined, destroy: () => undefined };
}

function resultCard(context: AppContext, artifact: ArtifactView): HTMLElement {
  const { texts, format } = context;
  const state = artifact.status === 'sealed' ? texts.packageSealed : texts.packageSealing;
  return h(
    'section',
    { class: 'card artifact' },
    h(
      'header',
      { class: 'artifact-head' },
      icon('package', 20),
      h(
        'div',
        {},
        h('h2', { class: 'artifact-title', lang: guessLanguage(artifact.title) }, artifact.title),
        h(
          'p',
          { class: 'artifact-state' },
          [format.dateTime(artifact.created_time), texts.revision(artifact.revision), state].join(' · '),
        ),
      ),
    ),
    fileList(context, artifact),
  );
}
