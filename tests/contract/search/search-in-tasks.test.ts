import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { roleDefinitions } from '#actors/roles/role-catalogue.ts';
import { failure } from '#contracts/errors.ts';
import { page } from '#tests/support/fakes/page-world.ts';
import { ProductHarness } from '#tests/support/harness/product-harness.ts';

const QUESTION = 'How tall is the Alder tower?';
const TOWER = 'http://tower.test/alder';

let product: ProductHarness;
beforeEach(async () => {
  product = new ProductHarness();
  product.world.add(TOWER, page('The Alder tower is 321 metres tall', '<p>The Alder tower is 321 metres tall.</p>'));
  await product.start();
});
afterEach(() => product.harness.stop());

describe('search in a task', () => {
  it('[WS-01] one role has one tool to search with, and no role has another', () => {
    const searching = Object.values(roleDefinitions)
      .flatMap(({ role, tools }) => tools.map((tool) => `${role}: ${tool}`))
      .filter((line) => /search: |: .*(?:search|find|lookup|query|web|fetch)/u.test(line));
    expect(searching).toEqual(['search_planner: search']);
  });

  it('[WS-10] what was found and never read is no source, no evidence and no answer', async () => {
    product.world.failNext(TOWER, failure('browser.egress_refused', 'the address is not public'));
    const id = await product.createTask(QUESTION);
    await product.ended(id);
    expect(product.harness.writes('search_call')).toHaveLength(1);
    expect(product.eventTypes(id)).toContain('source.blocked');
    for (const table of ['source_revision', 'task_source', 'evidence', 'assertion']) {
      expect(product.harness.writes(table), table).toEqual([]);
    }
  });
});
