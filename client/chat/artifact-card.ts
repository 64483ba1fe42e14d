import type { PackageFile } from '#contracts/research/package.ts';
import type { ArtifactView } from '#contracts/http/research.ts';
import type { AppContext } from '../app/context.ts';
import type { View } from '../app/view.ts';
import { artifactFileUrl } from '../data/api.ts';
import { toProblem } from '../data/problem.ts';
import { button } from '../ui/button.ts';
import { h, replace } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { icon } from '../ui/icon.ts';

export type ArtifactRef = { readonly artifact_id: string; readonly revision: number; readonly title: string };

/** The sealed package of an answer: every file with its size and hash, each one a plain download. */
export function createArtifactCard(context: AppContext): View<ArtifactRef> {
  const { texts } = context;
  const body = h('div', { class: 'artifact-body' });
  const title = h('h3', { class: 'artifact-title' });
  const state = h('p', { class: 'artifact-state' });
  const element = h(
    'section',
    { class: 'card artifact' },
    h('header', { class: 'artifact-head' }, icon('package', 20), h('div', {}, title, state)),
    body,
  );
  let shown = '';

  async function load(ref: ArtifactRef): Promise<void> {
    try {
      const view = await context.api.artifact(ref.artifact_id);
      state.textContent =
        view.status === 'sealed' ? `${texts.revision(view.revision)} · ${texts.packageSealed}` : texts.packageSealing;
      replace(body, fileList(context, view), h('p', { class: 'hint' }, texts.verifyHint));
    } catch (thrown) {
      const again = button(texts.retry, { icon: 'refresh', look: 'quiet', press: () => void load(ref) });
      replace(body, h('p', { class: 'hint' }, explainCode(toProblem(thrown).code, texts)), again);
    }
  }

  return {
    element,
    update(ref) {
      const key = `${ref.artifact_id}@${ref.revision}`;
      if (key === shown) return;
      shown = key;
      title.textContent = `${texts.reportPackage}: ${ref.title}`;
      state.textContent = texts.loading;
      void load(ref);
    },
    destroy: () => undefined,
  };
}

export function fileList({ texts, format }: AppContext, view: ArtifactView): HTMLElement {
  const meanings: Readonly<Record<string, string>> = {
    'report.md': texts.fileReportMd,
    'report.html': texts.fileReportHtml,
    'evidence.json': texts.fileEvidence,
    'sources.json': texts.fileSources,
    'manifest.json': texts.fileManifest,
  };
  const row = (name: string, size: number | null, sha256: string): HTMLElement =>
    h(
      'li',
      {},
      h(
        'a',
        {
          class: 'file-row',
          href: artifactFileUrl(view.artifact_id, name),
          download: name,
        },
        icon('download', 16),
        h('span', { class: 'file-name' }, h('span', { class: 'visually-hidden' }, `${texts.download} `), name),
        h('span', { class: 'file-meaning' }, meanings[name] ?? ''),
        h('span', { class: 'file-size' }, size === null ? '' : format.bytes(size)),
        h('code', { class: 'file-hash', title: `SHA-256 ${sha256}` }, sha256.slice(0, 8)),
      ),
    );
  const listed = view.files.map((file: PackageFile) => row(file.name, file.bytes, file.sha256));
  const hasManifest = view.files.some((file) => file.name === 'manifest.json');
  const manifest =
    view.manifest_sha256 === null || hasManifest ? null : row('manifest.json', null, view.manifest_sha256);
  return h('ul', { class: 'file-list' }, ...listed, manifest);
}
