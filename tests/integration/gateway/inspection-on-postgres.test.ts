import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActorDetail, OperatorActionView, TransitionSummary, TransitionView } from '#contracts/http/actors.ts';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { startInspectedPumps, type InspectedPumps } from '#tests/support/fakes/inspected-pumps.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';

const API = '/api/v1';

describe('inspection on PostgreSQL', () => {
  let database: TestDatabase;
  let store: ReturnType<typeof createPostgresActorStore>;
  let pumps: InspectedPumps;
  const get = async <T>(path: string) => (await pumps.call<T>(`${API}${path}`)).body;
  const post = <T>(path: string, body: object) => pumps.call<T>(`${API}${path}`, { method: 'POST', body });

  beforeAll(async () => {
    database = await createTestDatabase();
    store = createPostgresActorStore({ connection: database.connection });
    pumps = await startInspectedPumps({ store });
    await pumps.create('a');
  });
  afterAll(async () => {
    await pumps.close();
    await store.close();
    await database.drop();
  });

  it('[IN-02] a command, a dead letter and its repetition end in the audit with their outcome', async () => {
    const paused = await post<OperatorActionView>('/actors/pump/a/commands', {
      command: 'pause',
      request_id: 'request-1',
    });
    expect(paused).toMatchObject({ status: 202, body: { outcome: 'handled' } });
    await post('/actors/pump/a/commands', { command: 'resume', request_id: 'request-2' });
    await pumps.ask('a', { type: 'pump.break' });
    await pumps.ask('a', { type: 'pump.stroke' });
    await pumps.ask('a', { type: 'pump.mend' });
    const letters = await get<{ messages: { id: string }[] }>('/dead-letters');
    expect(letters.messages).toHaveLength(1);
    const path = `/dead-letters/${letters.messages[0]?.id}/redrive`;
    await post(path, { request_id: 'request-3' });
    expect((await post(path, { request_id: 'request-3' })).status).toBe(202);
    const actions = async () => (await get<{ actions: OperatorActionView[] }>('/operator-actions')).actions;
    await expect
      .poll(async () => (await actions()).map(({ command, outcome }) => `${command} ${outcome}`))
      .toEqual(['redrive handled', 'resume handled', 'pause handled']);
    expect((await get<ActorDetail>('/actors/pump/a')).context).toMatchObject({ strokes: 1 });
  });

  it('[IN-01] the log of the project and of the actor tell the same', async () => {
    const own = await get<{ transitions: TransitionView[] }>('/actors/pump/a/transitions?limit=500');
    const all = await get<{ transitions: TransitionSummary[]; next: string }>('/actors/transitions?limit=500');
    const key = ({ seq, index, event_type }: { seq: string; index: number; event_type: string }) =>
      `${seq}.${index} ${event_type}`;
    expect(all.transitions.filter(({ actor }) => actor === 'pump/a').map(key)).toEqual(own.transitions.map(key));
    expect(own.transitions.length).toBeGreaterThan(5);
  });

  it.each([
    '/actors?q=%00',
    '/actors?after=pump/%00',
    '/actors?kind=../..',
    '/actors/pump/a/transitions?after=9999999999999999.999999',
    '/actors/pump/a/transitions?after=-9999999999999999',
    '/actors/pump/a/mail?after=n9999999999999999',
    '/actors/transitions?after=9999999999999999999',
    '/dead-letters?before=9999999999999999999',
    '/operator-actions?before=9999999999999999999&actor=pump/a',
    '/quarantine?limit=0',
    '/actors/machines/%00',
    '/actors/pump/%00',
  ])('[AP-01] %s is answered or refused, never a defect', async (path) => {
    expect((await pumps.call(`${API}${path}`)).status).toBeLessThan(500);
  });

  it('[AP-01] a letter number beyond every letter is not found', async () => {
    const refused = await post('/dead-letters/9999999999999999999/redrive', { request_id: 'request-9' });
    expect(refused.status).toBe(404);
  });
});
