import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileRequest, matchesLanguage, readRequests, type Compiled } from '#scripts/bench/specs.ts';

const FILE = join(import.meta.dirname, '../../../../shared/data/questions/deep-research-bench.jsonl');
const isLeftOut = process.env['YUNSOU_SKIP_SHARED_DATA'] === '1';

describe.skipIf(isLeftOut)('requests as people type them', () => {
  let compiled: readonly Compiled[] = [];
  beforeAll(async () => {
    if (!existsSync(FILE)) throw new Error(`${FILE} is missing; set YUNSOU_SKIP_SHARED_DATA=1 to go on without it`);
    compiled = (await readRequests(FILE)).map(compileRequest);
  });

  it('[TS-02] each becomes a contract that can be frozen, with an origin for every value', () => {
    expect(compiled.length).toBeGreaterThanOrEqual(100);
    expect(compiled.filter(({ problems }) => problems.length > 0).map(({ id, problems }) => [id, problems])).toEqual(
      [],
    );
  });

  it('[CH-10] each is answered in its own language', () => {
    expect(compiled.filter((one) => !matchesLanguage(one)).map(({ id }) => id)).toEqual([]);
  });

  it('[CH-02] none of these deep requests is taken for a quick question or for a table', () => {
    expect(compiled.filter(({ spec }) => spec?.mode !== 'research').map(({ id, spec }) => [id, spec?.mode])).toEqual(
      [],
    );
  });

  it('[TS-06] all of them are clear: nothing is asked back', () => {
    expect(compiled.filter(({ clarifications }) => clarifications > 0).map(({ id }) => id)).toEqual([]);
  });

  it('[TS-03] no question ends or begins inside a word of the request', () => {
    const bare = (text: string) => text.replace(/\s+/gu, '');
    for (const { id, spec } of compiled) {
      const request = bare(spec?.requirement_text ?? '');
      for (const question of spec?.scope.questions ?? []) {
        const end = bare(question).slice(-12);
        const at = request.lastIndexOf(end);
        expect(at, `${id}: ${question}`).toBeGreaterThanOrEqual(0);
        const next = request.slice(at + end.length, at + end.length + 1);
        const isWhole = next === '' || /[\p{P}\s]$/u.test(end) || /[\p{P}\d一二三四五六七八九]/u.test(next);
        expect(isWhole, `${id}: …${end}|${next}`).toBe(true);
      }
    }
  });
});
