import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentDisposition } from '#gateway/http/content-disposition.ts';
import {
  API_TOKEN,
  rawCall,
  startGateway,
  type GatewayHarness,
  type ProblemBody,
} from '#tests/support/fakes/gateway-harness.ts';

const API = '/api/v1';
const OTHER = { headers: { 'X-Project-ID': 'other' } };

describe('results and their sources', () => {
  let host: GatewayHarness;
  let files: string;
  const raw = (name: string, headers = {}) =>
    rawCall(host.port, `${files}/${name}`, { Host: 'localhost', Authorization: `Bearer ${API_TOKEN}`, ...headers });
  beforeEach(async () => {
    host = await startGateway();
    const id = await host.shelf.addArtifact('报告 "a/b\\c" \u202Egnp\r\nX: y', {
      'report.md': '# 报告',
      'report.html': '<script>alert(1)</script>',
      'evidence.json': '{}',
    });
    files = `${API}/artifacts/${id}/files`;
  });
  afterEach(async () => host.close());

  it('[EV-01] a source comes as it was read, with the quotes taken from it', async () => {
    const text = '命令 npm ci installs from the lock file.';
    const { sourceId, evidenceId } = host.shelf.addSource(text, 'installs from the lock file');
    const { body } = await host.call<{ text: string; spans: { start: number; end: number }[] }>(
      `${API}/source-revisions/${sourceId}`,
    );
    expect(body.text).toBe(text);
    expect(body.spans.map(({ start, end }) => body.text.slice(start, end))).toEqual(['installs from the lock file']);
    expect((await host.call(`${API}/evidence/${evidenceId}`)).body).toMatchObject({
      quote: 'installs from the lock file',
      source: { source_revision_id: sourceId, final_url: 'https://example.org/a' },
    });
  });

  it('[AP-01] another project sees no result, file, source or evidence', async () => {
    const { sourceId, evidenceId } = host.shelf.addSource('text', 'text');
    const paths = [
      'artifacts/art_result0001',
      'artifacts/art_result0001/files/report.md',
      `source-revisions/${sourceId}`,
      `evidence/${evidenceId}`,
    ];
    for (const path of paths) {
      expect((await host.call(`${API}/${path}`)).status, path).toBe(200);
      expect((await host.call(`${API}/${path}`, OTHER)).status, path).toBe(404);
    }
    expect((await host.call(`${API}/operations/opr_unknown00`)).status).toBe(404);
  });

  it('[SC-02] a file is a download under a safe name', async () => {
    const { headers, body, status } = await host.call<string>(`${files}/report.md`);
    expect({ status, body }).toEqual({ status: 200, body: '# 报告' });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const name = `attachment; filename="report.md"; filename*=UTF-8''${encodeURIComponent('报告 a b c gnp X y - report.md')}`;
    expect(headers.get('content-disposition')).toBe(name);
    const again = await raw('report.md', { 'If-None-Match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('[SC-02] a page inside a result is shown only in a sandbox without scripts', async () => {
    const { headers } = await host.call(`${files}/report.html?disposition=inline`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^sandbox; default-src 'none';/);
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
    expect(headers.get('content-disposition')).toMatch(/^inline; /);
    expect((await host.call(`${files}/report.html?disposition=run`)).status).toBe(400);
  });

  it.each([
    '..%2f..%2foutside.html',
    '%2e%2e',
    'nothing.md',
    'report.md%00',
    '__proto__',
    '%E0%A4%A',
    'a'.repeat(5000),
  ])('[SC-02] the file name %s leads nowhere', async (name) => {
    const { status } = await raw(name);
    expect([400, 404]).toContain(status);
  });

  it('[AR-01] bytes that no longer have their hash are never sent as the file', async () => {
    const [listed] = host.shelf.results.get('art_result0001')?.files ?? [];
    host.shelf.blobs.set(listed?.sha256 ?? '', new TextEncoder().encode('tampered'));
    const answer = await host.call<ProblemBody>(`${files}/report.md`);
    expect(answer).toMatchObject({ status: 500, body: { code: 'blob.unavailable' } });
    expect((await host.call(`${files}/manifest.json`)).body).toEqual({ format: 'yunsou-package/1' });
  });

  it('[SC-02] a disposition cannot split the header and keeps the extension', () => {
    const value = contentDisposition('attachment', 'a"\r\nb.md', `${'长'.repeat(300)}.md`);
    expect(value).toMatch(/^attachment; filename="a_b\.md"; filename\*=UTF-8''[A-Za-z0-9%._-]+\.md$/);
    expect(contentDisposition('inline', '///', '///')).toBe(`inline; filename="_"; filename*=UTF-8''file`);
  });
});

describe('the library over HTTP', () => {
  let host: GatewayHarness;
  beforeEach(async () => {
    host = await startGateway();
  });
  afterEach(async () => host.close());

  it('[AP-01] folders are approved once, read again and withdrawn', async () => {
    const approve = () =>
      host.call<{ root_id: string }>(`${API}/library/roots`, {
        method: 'POST',
        body: { path: '/srv/文档', label: 'Docs' },
      });
    const { status, body } = await approve();
    expect({ status, body }).toMatchObject({ status: 201, body: { label: 'Docs', state: 'ready', pages: 1 } });
    expect((await approve()).body.root_id).toBe(body.root_id);
    const root = `${API}/library/roots/${body.root_id}`;
    expect((await host.call(`${root}/reindex`, { method: 'POST' })).status).toBe(202);
    expect(host.library.readings).toEqual([body.root_id]);
    expect((await host.call(root, { method: 'DELETE' })).status).toBe(204);
    expect((await host.call(root, { method: 'DELETE' })).status).toBe(404);
    expect((await host.call(`${API}/library`)).body).toEqual({ roots: [] });
  });

  it('[AP-01] what is no readable folder is said so', async () => {
    const answer = await host.call(`${API}/library/roots`, { method: 'POST', body: { path: 'relative' } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'library.unreadable' } });
  });
});
