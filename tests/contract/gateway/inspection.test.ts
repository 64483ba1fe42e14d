import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  ActorDetail,
  MachineGraph,
  OperatorActionView,
  TransitionSummary,
  TransitionView,
} from '#contracts/http/actors.ts';
import type { ProblemBody } from '#tests/support/fakes/gateway-harness.ts';
import { startInspectedPumps, type InspectedPumps } from '#tests/support/fakes/inspected-pumps.ts';

const API = '/api/v1';
type Log = { transitions: TransitionView[]; next: string | null };
type Letters = { messages: { id: string; reason: string; redrives: OperatorActionView[] }[]; next: string | null };
type Actions = { actions: OperatorActionView[]; next: string | null };

describe('inspection over HTTP', () => {
  let pumps: InspectedPumps;
  const get = async <T>(path: string, headers: Record<string, string> = {}) =>
    (await pumps.call<T>(`${API}${path}`, { headers })).body;
  const post = <T>(path: string, body: object) => pumps.call<T>(`${API}${path}`, { method: 'POST', body });

  beforeEach(async () => {
    pumps = await startInspectedPumps();
    await pumps.create('a');
  });
  afterEach(() => pumps.close());

  async function breakOnce(): Promise<Letters['messages'][number]> {
    await pumps.ask('a', { type: 'pump.break' });
    expect((await pumps.ask('a', { type: 'pump.stroke' })).outcome).toBe('poisoned');
    const [letter] = (await get<Letters>('/dead-letters')).messages;
    if (letter === undefined) throw new Error('there is no dead letter');
    return letter;
  }

  it('[IN-01] lists actors by kind, status and part of the address, page by page', async () => {
    await pumps.create('b');
    await pumps.create('c', 'other');
    type List = { actors: { actor: string; state: unknown }[]; next: string | null };
    expect((await get<List>('/actors')).actors).toMatchObject([
      { actor: 'pump/a', state: 'running', seq: '1' },
      { actor: 'pump/b' },
    ]);
    const page = await get<List>('/actors?kind=pump&status=active&limit=1');
    expect(page).toMatchObject({ actors: [{ actor: 'pump/a' }], next: 'pump/a' });
    expect((await get<List>(`/actors?after=${page.next}`)).actors).toMatchObject([{ actor: 'pump/b' }]);
    expect((await get<List>('/actors?q=B')).actors).toMatchObject([{ actor: 'pump/b' }]);
    expect((await get<List>('/actors', { 'X-Project-ID': 'other' })).actors).toMatchObject([{ actor: 'pump/c' }]);
    expect((await pumps.call('/api/v1/actors?limit=501')).status).toBe(400);
  });

  it('[IN-01] shows one actor with its context, timers, view and commands', async () => {
    await pumps.ask('a', { type: 'pump.rest' });
    const actor = await get<ActorDetail>('/actors/pump/a');
    expect(actor).toMatchObject({
      actor: 'pump/a',
      state: 'resting',
      context: { strokes: 0 },
      view: { strokes: 0 },
      timers: [{ timer_id: 'xstate.after.60000.pump.resting', occurrence: 1 }],
      waiting_mail: 0,
      parked: null,
      commands: ['pause', 'resume'],
    });
    expect((await pumps.call('/api/v1/actors/pump/none')).status).toBe(404);
    const elsewhere = await pumps.call('/api/v1/actors/pump/a', { headers: { 'X-Project-ID': 'other' } });
    expect(elsewhere.status).toBe(404);
  });

  it('[IN-01] the log names cause, edges, refused guards and the change, and is paged inside a commit', async () => {
    await pumps.ask('a', { type: 'pump.check' });
    await pumps.ask('a', { type: 'pump.stroke' });
    const { transitions } = await get<Log>('/actors/pump/a/transitions');
    expect(transitions).toMatchObject([
      { seq: '1', cause: { kind: 'message', message_id: 'create-a', from: 'http' }, context: { strokes: 0 } },
      {
        event_type: 'pump.check',
        edges: [{ from: 'pump.running', on: 'pump.check', to: ['pump.resting'], branch: 1, microstep: 0 }],
        refused: [{ guard: 'isWarm', from: 'pump.running', on: 'pump.check', branch: 0, params: { strokes: 3 } }],
        state_before: 'running',
        state_after: 'resting',
      },
      { event_type: 'pump.stroke', outcome: 'ignored', event: { type: 'pump.stroke' } },
    ]);
    const first = await get<Log>('/actors/pump/a/transitions?limit=1');
    const rest = await get<Log>(`/actors/pump/a/transitions?after=${first.next}`);
    expect([...first.transitions, ...rest.transitions]).toEqual(transitions);
    expect(await get<Log>(`/actors/pump/a/transitions?after=${rest.next}`)).toEqual({
      transitions: [],
      next: rest.next,
    });
  });

  it('[IN-01] effects and timers are causes too', async () => {
    for (let stroke = 0; stroke < 3; stroke++) await pumps.ask('a', { type: 'pump.stroke' });
    await pumps.ask('a', { type: 'pump.check' });
    const effect = async () =>
      (await get<Log>('/actors/pump/a/transitions')).transitions.find(({ cause }) => cause.kind === 'effect');
    await expect.poll(effect).toMatchObject({ cause: { effect_id: '5:0' }, state_after: 'running' });
  });

  it('[IN-01] the log is exported as lines of JSON', async () => {
    await pumps.ask('a', { type: 'pump.stroke' });
    const answer = await pumps.open(`${API}/actors/pump/a/transitions?format=jsonl`);
    expect(answer.headers.get('content-disposition')).toContain('pump-a.jsonl');
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TransitionView);
    expect(lines).toEqual((await get<Log>('/actors/pump/a/transitions')).transitions);
  });

  it('[IN-01] the log of the project holds all actors by time', async () => {
    await pumps.create('b');
    await pumps.ask('b', { type: 'pump.stroke' });
    const log = await get<{ transitions: TransitionSummary[]; next: string }>('/actors/transitions');
    expect(log.transitions.map(({ actor, event_type }) => `${actor} ${event_type}`)).toEqual([
      'pump/a runtime.create',
      'pump/b runtime.create',
      'pump/b pump.stroke',
    ]);
    const again = await get<typeof log>(`/actors/transitions?after=${log.next}`);
    expect(again.transitions).toEqual(log.transitions);
  });

  it('[IN-01] a machine comes as a graph whose ids are those of the log', async () => {
    const graph = await get<MachineGraph>('/actors/machines/pump');
    expect(graph.states.map(({ id }) => id)).toEqual([
      'pump',
      'pump.running',
      'pump.resting',
      'pump.measuring',
      'pump.paused',
    ]);
    expect(graph.states[3]?.invokes).toEqual([
      { id: 'gauge', src: 'measure', class: 'idempotent', timeout_ms: 10_000 },
    ]);
    expect(graph.transitions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ from: 'pump.running', on: 'pump.check', branch: 0, guard: 'isWarm' }),
        expect.objectContaining({ from: 'pump.resting', to: ['pump.running'], delay: 60_000 }),
        expect.objectContaining({
          from: 'pump.running',
          on: 'pump.stroke',
          guard: 'isSound',
          actions: ['xstate.assign', 'ask'],
        }),
      ]),
    );
    expect(graph.commands).toEqual(['pause', 'resume']);
    expect((await pumps.call(`${API}/actors/machines/none`)).status).toBe(404);
  });

  it('[IN-02] a command is operator mail, once per request, and audited with its outcome', async () => {
    const body = { command: 'pause', request_id: 'request-1' };
    const done = await post<OperatorActionView>('/actors/pump/a/commands', body);
    expect(done).toMatchObject({ status: 202, body: { command: 'pause', caller: 'token', outcome: 'handled' } });
    expect((await post('/actors/pump/a/commands', body)).body).toEqual(done.body);
    expect((await get<ActorDetail>('/actors/pump/a')).state).toBe('paused');
    const refused = await post<ProblemBody>('/actors/pump/a/commands', { command: 'pause', request_id: 'request-2' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'actor.ignored' } });
    const { transitions } = await get<Log>('/actors/pump/a/transitions');
    expect(transitions.filter(({ event_type }) => event_type === 'pump.pause')).toHaveLength(2);
    const { actions } = await get<Actions>('/operator-actions?actor=pump/a');
    expect(actions.map(({ request_id, outcome }) => [request_id, outcome])).toEqual([
      ['request-2', 'ignored'],
      ['request-1', 'handled'],
    ]);
    expect((await get<Actions>('/operator-actions', { 'X-Project-ID': 'other' })).actions).toEqual([]);
  });

  it('[IN-02] a command that the kind has not is refused and names those it has', async () => {
    const refused = await post<ProblemBody>('/actors/pump/a/commands', { command: 'drain', request_id: 'request-1' });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'actor.forbidden_event', detail: "'pump' has no command 'drain'; it has pause, resume" },
    });
    const missing = await post<ProblemBody>('/actors/pump/x/commands', { command: 'pause', request_id: 'request-2' });
    expect(missing.status).toBe(404);
    const used = await post('/actors/pump/a/commands', { command: 'pause', request_id: 'request-3' });
    expect(used.status).toBe(202);
    const other = await post<ProblemBody>('/actors/pump/a/commands', { command: 'resume', request_id: 'request-3' });
    expect(other).toMatchObject({ status: 409, body: { code: 'request.conflict' } });
  });

  it('[SV-01] a dead letter is sent again once per request, and both logs tell', async () => {
    const letter = await breakOnce();
    expect(letter).toMatchObject({ actor: 'pump/a', reason: expect.stringContaining('the gauge is broken') as string });
    await pumps.ask('a', { type: 'pump.mend' });
    const path = `/dead-letters/${letter.id}/redrive`;
    const sent = await post<OperatorActionView>(path, { request_id: 'request-1' });
    expect(sent).toMatchObject({ status: 202, body: { command: 'redrive', letter_id: letter.id, caller: 'token' } });
    await post(path, { request_id: 'request-1' });
    await expect
      .poll(async () => (await get<Letters>('/dead-letters')).messages[0]?.redrives)
      .toMatchObject([{ request_id: 'request-1', outcome: 'handled' }]);
    const actor = await get<ActorDetail>('/actors/pump/a');
    expect(actor.context).toMatchObject({ strokes: 1 });
    const { transitions } = await get<Log>('/actors/pump/a/transitions');
    const again = transitions.filter(({ cause }) => cause.kind === 'message' && cause.from === 'operator');
    expect(again).toMatchObject([{ cause: { message_id: `redrive:${letter.id}:request-1` }, outcome: 'handled' }]);
    const elsewhere = { method: 'POST', body: { request_id: 'request-9' }, headers: { 'X-Project-ID': 'other' } };
    expect((await pumps.call(`${API}${path}`, elsewhere)).status).toBe(404);
  });

  it('[IN-01] a poisoned message is a row with its reason', async () => {
    await breakOnce();
    const { transitions } = await get<Log>('/actors/pump/a/transitions');
    expect(transitions.at(-1)).toMatchObject({
      outcome: 'poisoned',
      reason: expect.stringContaining("guard 'isSound': the gauge is broken") as string,
      event: { type: 'pump.stroke' },
    });
  });

  it('[IN-01] mail that nobody could take is in the log of its receiver with seq 0', async () => {
    await expect(pumps.ask('none', { type: 'pump.stroke' })).rejects.toThrow('does not exist');
    const { transitions } = await get<Log>('/actors/pump/none/transitions');
    expect(transitions).toMatchObject([
      {
        seq: '0',
        event_type: 'pump.stroke',
        outcome: 'poisoned',
        reason: expect.stringContaining('actor.not_found') as string,
      },
    ]);
  });

  it('[GW2] strangers see and change nothing', async () => {
    for (const path of ['/actors', '/actors/pump/a', '/actors/pump/a/transitions', '/dead-letters', '/quarantine']) {
      expect((await pumps.call(`${API}${path}`, { as: 'stranger' })).status).toBe(401);
    }
    const body = { command: 'pause', request_id: 'request-1' };
    const refused = await pumps.call(`${API}/actors/pump/a/commands`, { method: 'POST', body, as: 'stranger' });
    expect(refused.status).toBe(401);
    expect((await get<ActorDetail>('/actors/pump/a')).state).toBe('running');
  });
});
