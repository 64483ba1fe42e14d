import { describe, expect, it } from 'vitest';
import type { Json } from '#contracts/json.ts';
import { leafPointers, readPointer, writePointer } from '#contracts/research/json-pointer.ts';
import { changeSpec } from '#contracts/research/spec-change.ts';
import { diffSpecs } from '#contracts/research/spec-diff.ts';
import { completeOrigins, originAt, statesEveryOrigin, unstatedOrigins } from '#contracts/research/spec-origins.ts';
import { TaskSpec } from '#contracts/research/task-spec.ts';
import { field, originsOf, taskSpec } from '#tests/support/builders/task-spec.ts';

describe('task specification', () => {
  it('[TS-01] has seven roots; an eighth is refused, and so is an unknown field at any depth', () => {
    const spec = taskSpec();
    expect(Object.keys(spec)).toHaveLength(7);
    const refused = [
      { ...spec, task_id: 'tsk_other' },
      { ...spec, scope: { ...spec.scope, hidden: true } },
      { ...spec, output: { ...spec.output, fields: [field('a', { formula: '=1' })] } },
    ];
    for (const one of refused) expect(TaskSpec.safeParse(one).success).toBe(false);
  });

  it('[TS-01] a contract of the first release is completed with what it could not say', () => {
    const { fields: _fields, key: _key, row: _row, max_rows: _rows, ...output } = taskSpec().output;
    const { max_candidates: _candidates, ...scope } = taskSpec().scope;
    expect(TaskSpec.parse({ ...taskSpec(), scope, output })).toEqual(taskSpec());
  });

  it('[TS-04] money is minor units as a decimal string; a number, a fraction and a sign are refused', () => {
    for (const cap_minor of [2000, '20.5', '-1', '1e3', ' 1']) {
      const spec = { ...taskSpec(), budget: { ...taskSpec().budget, cap_minor } };
      expect(TaskSpec.safeParse(spec).success, JSON.stringify(cap_minor)).toBe(false);
    }
    expect(taskSpec({ budget: { cap_minor: '9007199254740993' } }).budget.cap_minor).toBe('9007199254740993');
  });

  it('[TS-02] every value has an origin of its own, members of lists too', () => {
    const spec = taskSpec();
    expect(unstatedOrigins(spec, { '/scope/items': 'user' })).toContain('/scope/items/1');
    const origins = completeOrigins(spec, { '/scope/items': 'user' }, 'template');
    expect(statesEveryOrigin(spec, origins)).toBe(true);
    expect(originAt(origins, '/scope/items/1')).toBe('user');
    expect(originAt(origins, '/execution/max_pages')).toBe('template');
  });

  it('[TS-02] a pointer reads and writes only what is there', () => {
    const document = { a: [{ 'x/y': 1, '~': 2 }] } satisfies Json;
    expect(leafPointers(document)).toEqual(['/a/0/x~1y', '/a/0/~0']);
    expect(readPointer(document, '/a/0/x~1y')).toBe(1);
    expect(writePointer(document, '/a/0/~0', 3)).toEqual({ a: [{ 'x/y': 1, '~': 3 }] });
    expect(writePointer(document, '/a/-', 4)).toEqual({ a: [{ 'x/y': 1, '~': 2 }, 4] });
    for (const nowhere of ['/b', '/a/1', '/a/01', '/__proto__', '/a/0/x']) {
      expect(readPointer(document, nowhere)).toBeUndefined();
      expect(writePointer(document, nowhere, 1)).toBeUndefined();
    }
  });
});

describe('another version of a plan', () => {
  const stated = { spec: taskSpec(), origins: originsOf(taskSpec()) };

  it('[TS-06] tells each value that differs, a list that grew as a whole', () => {
    const after = taskSpec({ scope: { items: ['Alder', 'Cedar'], topics: ['height'] }, execution: { max_pages: 8 } });
    expect(diffSpecs(stated.spec, after)).toEqual([
      { pointer: '/scope/topics', before: [], after: ['height'] },
      { pointer: '/scope/items/1', before: 'Birch', after: 'Cedar' },
      { pointer: '/execution/max_pages', before: 16, after: 8 },
    ]);
    expect(diffSpecs(after, after)).toEqual([]);
  });

  it('[TS-02] a change is the user’s, with all its members; what was beside it keeps its origin', () => {
    const changed = changeSpec(stated, [{ pointer: '/scope/items', value: ['Alder', 'Birch', 'Cedar'] }]);
    if (!changed.ok) throw new Error(changed.problem.message);
    expect(changed.spec.scope.items).toEqual(['Alder', 'Birch', 'Cedar']);
    expect(originAt(changed.origins, '/scope/items/2')).toBe('user');
    expect(originAt(changed.origins, '/scope/questions/0')).toBe('template');
    expect(statesEveryOrigin(changed.spec, changed.origins)).toBe(true);
  });

  it('[TS-02] another mode takes its form along as a template, never as the user’s wish', () => {
    const changed = changeSpec(stated, [{ pointer: '/mode', value: 'dataset' }]);
    if (!changed.ok) throw new Error(changed.problem.message);
    expect(changed.spec.output.form).toBe('dataset');
    expect(originAt(changed.origins, '/output/form')).toBe('template');
  });

  it.each([
    ['/requirement_text', 'else'],
    ['/policy_refs', ['write/1']],
    ['/execution/max_pages', 100_000],
    ['/execution/shell', true],
    ['/scope/questions', []],
  ])('[TS-01] a change of %s to %j is refused and nothing is half done', (pointer, value) => {
    const good = { pointer: '/execution/max_waves', value: 2 };
    expect(changeSpec(stated, [good, { pointer, value }])).toMatchObject({
      ok: false,
      problem: { code: 'spec.invalid' },
    });
    expect(stated.spec.execution.max_waves).toBe(3);
  });
});
