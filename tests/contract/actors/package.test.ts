import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyPackage } from '#actors/artifact/verify-package.ts';
import { page } from '#tests/support/fakes/page-world.ts';
import { ProductHarness } from '#tests/support/harness/product-harness.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

let product: ProductHarness;
const files = new Map<string, Uint8Array>();

beforeAll(async () => {
  product = await new ProductHarness().start();
  product.world.add(
    'http://tower.test/alder',
    page(
      'The Alder tower',
      '<p>The Alder tower is 321 metres tall &amp; “old”. It was finished in 1961. <b>&lt;script&gt;</b> is shown.</p>',
    ),
  );
  const id = await product.createTask('How tall is the Alder tower?');
  await product.ended(id);
  const [artifact] = await product.reads.artifacts.list('default', 10);
  for (const { name, sha256: hash } of artifact?.files ?? [])
    files.set(name, (await product.blobs.get(hash)) ?? new Uint8Array());
});
afterAll(() => product.harness.stop());

/** The package with some files replaced, and the manifest telling their new hashes, as a forger would. */
function forged(changes: Readonly<Record<string, (text: string) => string>>): Map<string, Uint8Array> {
  const copy = new Map(files);
  for (const [name, change] of Object.entries(changes)) copy.set(name, encode(change(decode(copy.get(name)))));
  const manifest = JSON.parse(decode(copy.get('manifest.json'))) as {
    files: { name: string; sha256: string; bytes: number }[];
  };
  for (const file of manifest.files) file.sha256 = sha256(copy.get(file.name) ?? new Uint8Array());
  copy.set('manifest.json', encode(manifest));
  return copy;
}

describe('sealed package', () => {
  it('[AR-01] holds the report twice, evidence, sources and a manifest, and verifies from its bytes alone', () => {
    expect([...files.keys()].sort()).toEqual([
      'evidence.json',
      'manifest.json',
      'report.html',
      'report.md',
      'sources.json',
    ]);
    expect(verifyPackage(files, sha256)).toEqual([]);
  });

  it('[AR-04] a changed byte, a missing file and an added file are told', () => {
    const changed = new Map(files).set('report.md', encode(`${decode(files.get('report.md'))} `));
    expect(verifyPackage(changed, sha256)).toContain('report.md does not have the SHA-256 of the manifest');
    const missing = new Map(files);
    missing.delete('sources.json');
    expect(verifyPackage(missing, sha256).join()).toContain('sources.json');
    expect(verifyPackage(new Map(files).set('extra.json', encode('{}')), sha256)).toContain(
      'extra.json is not named in the manifest',
    );
  });

  it.each<[string, Readonly<Record<string, (text: string) => string>>]>([
    [
      'a quote with an invented tail',
      { 'evidence.json': (text) => text.replaceAll('321 metres tall', '321 metres high') },
    ],
    ['a figure changed in the page text', { 'sources.json': (text) => text.replaceAll('321', '421') }],
    [
      'shifted offsets',
      { 'evidence.json': (text) => text.replace(/"start": (\d+)/, (_all, n: string) => `"start": ${Number(n) + 1}`) },
    ],
    ['a mark without a reference', { 'report.md': (text) => `${text}\nAnd it is blue. [9]\n` }],
    ['no JSON at all', { 'evidence.json': () => 'not json' }],
  ])('[AR-04] %s is found although all hashes fit', (_what, changes) => {
    expect(verifyPackage(forged(changes), sha256)).not.toEqual([]);
  });

  it('[SC-02] the report page shows page text as text and loads nothing', () => {
    const html = decode(files.get('report.html'));
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script/i);
    expect(html).not.toMatch(/\s(?:src|onerror|onload)=/i);
  });

  it('[AR-03] a citation names the revision that was read, with its time', () => {
    const { answer } = JSON.parse(decode(files.get('evidence.json'))) as {
      answer: { citations: { source: { source_revision_id: string; retrieved_time: string } }[] };
    };
    expect(answer.citations[0]?.source.source_revision_id).toMatch(/^srv_/);
    expect(answer.citations[0]?.source.retrieved_time).toMatch(/Z$/);
  });
});
