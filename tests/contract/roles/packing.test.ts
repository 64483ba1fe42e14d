import { describe, expect, it } from 'vitest';
import { bytesOf, estimateTokens, packItems, type PackItem } from '#actors/roles/role-packing.ts';
import { modelParts } from '#actors/roles/role-model-catalogue.ts';
import { installedPrompts } from '#actors/roles/role-prompts.ts';
import { buildRequest, greatestCost } from '#actors/roles/role-request.ts';
import { wireSchema } from '#actors/roles/role-schema.ts';
import { RoleName } from '#contracts/actors/role.ts';
import type { ModelRequest } from '#contracts/research/model.ts';
import { chatWire } from '#tests/support/fakes/vendors/chat-wire.ts';
import { profileFor } from '#tests/support/fakes/vendors/model-harness.ts';
import { sourceOf } from '#tests/support/harness/role-bench.ts';

const QUESTION = 'How tall is the Alder tower?';
const FILLER = 'The gardens around it are open to everybody on most days of the year. '.repeat(60);
const ANSWER = 'The Alder tower is 321 metres tall.';

const item = (n: number, text: string): PackItem => ({ key: `S${n}`, id: `srv_${n}`, head: '', text });
const textParts = ({ messages }: ModelRequest): string[] =>
  messages.flatMap(({ content }) => content.flatMap((part) => (part.kind === 'text' ? part.text : [])));
const textOf = (request: { messages: readonly unknown[] }): string => JSON.stringify(request.messages);

function extraction(sources: readonly ReturnType<typeof sourceOf>[], window: number) {
  const part = modelParts.extractor;
  const ids = sources.map(({ source_revision_id }) => source_revision_id);
  const ask = { role: 'extractor', question: QUESTION, form: 'report', source_revision_ids: ids } as const;
  const profile = profileFor(chatWire, { context_window: window, max_output_tokens: Math.min(4000, window) });
  return buildRequest({
    part,
    prompt: installedPrompts().of('extractor').text,
    profile,
    language: 'en',
    brief: part.brief({ ...ask, source_revision_ids: [...ids] }, { sources, evidence: [], assertions: [] }, 'en'),
    memory: [],
    repair: null,
    idempotencyKey: 'rol_pack:1',
  });
}

describe('packing to the window', () => {
  it('[RO-02] ninety sources go into sixteen thousand tokens: the best of them, each in part, and the record says so', () => {
    const sources = Array.from({ length: 90 }, (_, n) =>
      sourceOf(
        `srv_page-${String(n).padStart(5, '0')}`,
        `${FILLER}\n${n === 77 ? ANSWER : 'Nothing here.'}\n${FILLER}`,
      ),
    );
    const built = extraction(sources, 16_000);
    if (built === null) throw new TypeError('it does not fit');
    const { request, record } = built;
    expect(estimateTokens(textOf(request)) + request.max_output_tokens).toBeLessThan(16_000);
    expect(record.shown.length + record.left_out.length).toBe(90);
    expect(record.shown[0]?.id).toBe('srv_page-00077');
    expect(textOf(request)).toContain(ANSWER);
    expect(record.shown.every(({ characters, shown_characters }) => shown_characters < characters)).toBe(true);
    const own = JSON.parse(textParts(request)[1] ?? '') as { material: object[]; left_out_for_lack_of_room: number };
    expect(own.material[0]).toEqual({ key: 'S1', truncated: true });
    expect(own.left_out_for_lack_of_room).toBe(record.left_out.length);
  });

  it('[RO-02] the answer at the end of a long page is shown, with what stands around it', () => {
    const long = sourceOf('srv_long-00001', `${`${FILLER}\n`.repeat(70)}${ANSWER}`);
    expect(long.text.length).toBeGreaterThan(290_000);
    const built = extraction([long], 16_000);
    expect(textOf(built?.request ?? { messages: [] })).toContain(ANSWER);
  });

  it('[RO-02] one page of megabytes does not push the others out', () => {
    const items = [item(1, 'word '.repeat(600_000)), item(2, FILLER), item(3, ANSWER)];
    const { items: shown } = packItems(items, { windowTokens: 8000, tokens: 5000 });
    expect(shown.map(({ key }) => key)).toEqual(['S1', 'S2', 'S3']);
    expect(shown.map(({ truncated }) => truncated)).toEqual([true, false, false]);
    expect(estimateTokens(shown[0]?.shown ?? '')).toBeLessThanOrEqual(2000);
  });

  it('[RO-02] work that does not fit at all is not sent', () => {
    expect(extraction([sourceOf('srv_one-00001', ANSWER)], 1000)).toBeNull();
  });

  it('[BU-01] what is held is never less than the call can cost', () => {
    const built = extraction([sourceOf('srv_one-00001', `${ANSWER} 塔高三百二十一米。`)], 100_000);
    if (built === null) throw new TypeError('it does not fit');
    const prices = {
      currency: 'USD',
      version: 'v1',
      date: '2026-01-01',
      per_million: { input: '2', cached_input: '1', cache_write: '3', output: '10' },
    };
    const profile = profileFor(chatWire, { prices });
    const texts = built.request.messages.flatMap(({ content }) =>
      content.map((part) => ('text' in part ? part.text : '')),
    );
    const bytes = texts.reduce((sum, text) => sum + bytesOf(text), 0);
    const least = (bytes * 3 + built.request.max_output_tokens * 10) / 10_000;
    const held = greatestCost(built.request, profile);
    expect(held).toMatchObject({ currency: 'USD', price_version: 'v1' });
    expect(Number(held.max_minor)).toBeGreaterThanOrEqual(least);
    expect(greatestCost(built.request, profileFor(chatWire)).max_minor).toBeNull();
    const half = { ...prices, per_million: { input: '2' } };
    expect(greatestCost(built.request, profileFor(chatWire, { prices: half })).max_minor).toBeNull();
  });
});

describe('what models are bound to', () => {
  it.each(RoleName.options)(
    '[RO-01] the schema of %s is closed in every object and asks for no bound that endpoints refuse',
    (role) => {
      const text = JSON.stringify(wireSchema(modelParts[role].schema));
      expect(text).not.toMatch(/"(?:maxItems|minItems|maxLength|minLength|pattern|\$schema|maximum|minimum)":/);
      const closed = (value: unknown): boolean => {
        if (typeof value !== 'object' || value === null) return true;
        const { type, properties, required, additionalProperties } = value as { [key: string]: unknown };
        if (type === 'object' && additionalProperties !== false) return false;
        if (
          type === 'object' &&
          Object.keys(properties as object).length !== (required as unknown[] | undefined)?.length
        )
          return false;
        return Object.values(value).every(closed);
      };
      expect(closed(JSON.parse(text))).toBe(true);
    },
  );

  it('[RO-02] every role has a prompt of its own with a version, and another text is another version', () => {
    const prompts = installedPrompts();
    const versions = RoleName.options.map((role) => prompts.of(role).version);
    expect(new Set(versions).size).toBe(8);
    expect(prompts.version).toMatch(/^[0-9a-f]{16}$/);
    for (const role of RoleName.options) expect(prompts.of(role).text).toContain('Rules for every role');
  });
});
