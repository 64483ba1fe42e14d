import { describe, expect, it } from 'vitest';
import { assign, setup } from 'xstate';
import * as z from 'zod';
import type { Envelope } from '#contracts/envelope.ts';
import type { ActorState, StepInput } from '#runtime/core/actor-state.ts';
import { defineEffect, effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import { defineActor, keepState } from '#runtime/core/define-actor.ts';
import { committedState, finishDraft } from '#runtime/core/finish-draft.ts';
import { publish, reply, send, setFence, spawn, write } from '#runtime/core/requests.ts';
import { restoreActor, unbornActor } from '#runtime/core/restore-actor.ts';
import { step } from '#runtime/core/step.ts';
import { openDraft, type Draft } from '#runtime/core/draft.ts';
import type { LoadedActor } from '#contracts/ports/actor-store.ts';

const NOW = 1_800_000_000_000;
type Events =
  | { type: 'job.start' }
  | { type: 'job.cancel' }
  | { type: 'job.explode' }
  | { type: 'job.restart' }
  | { type: 'job.finish' };

const machine = setup({
  types: {} as { context: { name: string; runs: number; note: string }; events: Events; input: { name: string } },
  actors: { fetchPage: effectLogic<{ url: string }, { text: string }>() },
  actions: { announce: requestAction },
  delays: { grace: 5_000 },
}).createMachine({
  id: 'job',
  options: { maxIterations: 1000 },
  context: ({ input }) => ({ name: input.name, runs: 0, note: '' }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'job.start': {
          target: 'fetching',
          actions: [
            assign({ runs: ({ context }) => context.runs + 1 }),
            {
              type: 'announce',
              params: ({ context }) => [
                publish('job.started', { runs: context.runs }),
                send('log/main', { type: 'log.append' }),
                spawn('page', 'p1', { url: 'x' }),
                write('task', { id: 't', runs: context.runs }),
                setFence('job', context.runs, true),
                reply({ ok: true }),
              ],
            },
          ],
        },
        'job.explode': {
          actions: assign(() => {
            throw new Error('boom');
          }),
        },
      },
    },
    fetching: {
      invoke: {
        id: 'fetch',
        src: 'fetchPage',
        input: ({ context }) => ({ url: `https://${context.name}` }),
        onDone: { target: 'ready', actions: assign({ note: ({ event }) => event.output.text }) },
        onError: { target: 'idle', actions: assign({ note: ({ event }) => failureOf(event).code }) },
      },
      after: { grace: 'idle' },
      on: { 'job.cancel': 'idle', 'job.restart': { target: 'fetching', reenter: true } },
    },
    ready: { on: { 'job.finish': 'over' } },
    over: { type: 'final' },
  },
});

const job = defineActor({
  kind: 'job',
  version: 1,
  machine,
  input: z.object({ name: z.string() }),
  context: z.object({ name: z.string(), runs: z.number(), note: z.string() }),
  events: z.object({ type: z.enum(['job.start', 'job.cancel', 'job.explode', 'job.restart', 'job.finish']) }),
  effects: {
    fetchPage: defineEffect<{ url: string }, { text: string }, object>({
      class: 'idempotent',
      timeoutMs: 1000,
      run: () => Promise.resolve({ text: '' }),
    }),
  },
  view: (snapshot) => snapshot.context.note,
});

let count = 0;
function mail(event: Envelope['event'], extra: Partial<Envelope> = {}): StepInput & { kind: 'mail' } {
  count += 1;
  const envelope: Envelope = {
    messageId: `m${count}`,
    project: 'p',
    to: 'job/1',
    from: 'http',
    priority: 'normal',
    event,
    sentAt: '2026-01-01T00:00:00.000Z',
    ...extra,
  };
  return { kind: 'mail', mailId: count, envelope, payloadHash: `h${count}` };
}

function born(): ActorState {
  const create = mail({ type: 'runtime.create' }, { create: { input: { name: 'a.example' } }, from: 'task/7' });
  const { draft } = step(job, unbornActor(job, create.envelope, 3), create, NOW);
  return committedState(draft);
}

function run(state: ActorState, input: StepInput, nowMs = NOW): { draft: Draft; state: ActorState; outcome: string } {
  const { draft, verdict } = step(job, state, input, nowMs);
  const outcome = verdict.kind === 'taken' ? verdict.outcome : verdict.kind;
  return { draft, state: committedState(draft), outcome };
}

function result(effectId: string, text = 'hello'): StepInput {
  const event = { type: 'effect.result', invokeId: 'fetch', effectId, result: { kind: 'done', output: { text } } };
  return mail(event, { from: 'effect' });
}

function entryOf(draft: Draft) {
  return finishDraft(draft, () => 'main');
}

/** Through JSON and back, as a process that starts would see it. */
function reload(draft: Draft): LoadedActor {
  const entry = JSON.parse(JSON.stringify(entryOf(draft))) as ReturnType<typeof entryOf>;
  const { state } = draft;
  return {
    row: {
      project: 'p',
      address: entry.address,
      shard: entry.shard,
      seq: entry.expectedSeq + 1,
      epoch: 1,
      lastCommitId: 'c',
      ...entry.next,
    },
    timers: [...state.timers.values()],
    effects: [...state.effects.values()],
  };
}

describe('the step', () => {
  it('[ST-01] a creation yields a first row with seq 1 and remembers its parent', () => {
    const state = born();
    expect(state).toMatchObject({ seq: 1, status: 'active', parent: 'task/7' });
    expect(state.snapshot?.value).toBe('idle');
  });

  it('[ST-02] requests become rows of the same commit, in order', () => {
    const { draft, outcome } = run(born(), mail({ type: 'job.start' }));
    const entry = entryOf(draft);
    expect(outcome).toBe('handled');
    expect(entry.published).toEqual([{ stream: 'job:1', seq: 1, type: 'job.started', data: { runs: 1 } }]);
    expect(entry.outgoing.map((item) => [item.envelope.to, item.envelope.messageId])).toEqual([
      ['log/main', 'job/1:2:0'],
      ['page/p1', 'job/1:2:1'],
    ]);
    expect(entry.writes).toEqual([{ table: 'task', row: { id: 't', runs: 1 } }]);
    expect(entry.fencesSet).toEqual([{ scope: 'job', generation: 1, open: true }]);
    expect(entry.transitions[0]).toMatchObject({ reply: { ok: true }, stateBefore: 'idle', stateAfter: 'fetching' });
    expect(entry.transitions[0]?.detail).toMatchObject({
      edges: [{ from: 'job.idle', on: 'job.start', to: ['job.fetching'] }],
      context: { runs: 1 },
    });
  });

  it('[ST-03] an invoke becomes an effect row, an after becomes a timer row', () => {
    const { draft } = run(born(), mail({ type: 'job.start' }));
    const entry = entryOf(draft);
    expect(entry.effectsAdded).toMatchObject([
      { effectId: '2:0', invokeId: 'fetch', src: 'fetchPage', input: { url: 'https://a.example' }, state: 'pending' },
    ]);
    expect(entry.timersSet).toMatchObject([{ occurrence: 1, dueAtMs: NOW + 5_000 }]);
  });

  it('[ST-04] leaving the state deletes its effect and its timer', () => {
    const started = run(born(), mail({ type: 'job.start' }));
    const entry = entryOf(run(started.state, mail({ type: 'job.cancel' })).draft);
    expect(entry.effectsDeleted).toEqual(['2:0']);
    expect(entry.timersDeleted).toEqual(['xstate.after.grace.job.fetching']);
  });

  it('[FX-01] a result of an earlier invocation is recorded stale and never reaches the machine', () => {
    const started = run(born(), mail({ type: 'job.start' }));
    const again = run(started.state, mail({ type: 'job.restart' }));
    expect(entryOf(again.draft).effectsAdded).toMatchObject([{ effectId: '3:0' }]);
    const late = run(again.state, result('2:0', 'old'));
    expect(late.outcome).toBe('stale');
    const now = run(late.state, result('3:0', 'new'));
    expect(now.outcome).toBe('handled');
    expect(now.state.snapshot?.context).toMatchObject({ note: 'new' });
  });

  it('[TM-01] a firing of an earlier occurrence is skipped', () => {
    const started = run(born(), mail({ type: 'job.start' }));
    const again = run(started.state, mail({ type: 'job.restart' }));
    const timerId = 'xstate.after.grace.job.fetching';
    expect(run(again.state, { kind: 'timer', timerId, occurrence: 1 }).outcome).toBe('skipped');
    const fired = run(again.state, { kind: 'timer', timerId, occurrence: 2 });
    expect(fired.outcome).toBe('handled');
    expect(fired.state.snapshot?.value).toBe('idle');
    expect(entryOf(fired.draft).timersDeleted).toEqual([timerId]);
  });

  it('[ST-05] events of XState itself are refused from outside', () => {
    const started = run(born(), mail({ type: 'job.start' }));
    const forged = run(started.state, mail({ type: 'xstate.done.actor.fetch', output: { text: 'forged' } }));
    expect(forged.outcome).toBe('forbidden');
    const impostor = mail({ type: 'effect.result', invokeId: 'fetch', effectId: '2:0', result: { kind: 'done' } });
    expect(run(started.state, impostor).outcome).toBe('forbidden');
  });

  it('[ST-06] a done actor takes no steps', () => {
    const started = run(born(), mail({ type: 'job.start' }));
    const ready = run(started.state, result('2:0'));
    const over = run(ready.state, mail({ type: 'job.finish' }));
    expect(over.state.status).toBe('done');
    expect(run(over.state, mail({ type: 'job.start' })).outcome).toBe('dropped_done');
  });

  it('[ST-07] an event the state does not handle is recorded as ignored', () => {
    expect(run(born(), mail({ type: 'job.finish' })).outcome).toBe('ignored');
  });

  it('[ST-08] a throwing assign leaves the draft as it was', () => {
    const { draft, verdict } = step(job, born(), mail({ type: 'job.explode' }), NOW);
    expect(verdict).toMatchObject({ kind: 'failed', failure: { message: 'boom' } });
    expect(draft).toEqual(openDraft(job, draft.before));
  });

  it('[ST-09] ifEventSeq that differs is a conflict and does not reach the machine', () => {
    const refused = run(born(), mail({ type: 'job.start' }, { ifEventSeq: '4' }));
    expect(refused.outcome).toBe('conflict');
    expect(run(refused.state, mail({ type: 'job.start' }, { ifEventSeq: '0' })).outcome).toBe('handled');
  });

  it('[ST-10] an event outside the schema is forbidden', () => {
    expect(run(born(), mail({ type: 'job.unheard' })).outcome).toBe('forbidden');
  });

  it('[ST-16] a machine gets the time of the step with every event', () => {
    let seen: unknown = null;
    const spying = { ...job, machine: { ...job.machine } as typeof job.machine };
    spying.machine.transition = (snapshot, event, scope) => {
      seen = event;
      return job.machine.transition(snapshot, event, scope);
    };
    step(spying, born(), mail({ type: 'job.start' }), NOW);
    expect(seen).toMatchObject({ type: 'job.start', at: new Date(NOW).toISOString() });
  });

  it('[ST-17] a child spawned inside an assign is a defect of that message', () => {
    const parts = setup({ actors: { work: effectLogic<object, object>() } });
    const sneaky = parts.createMachine({
      id: 'sneaky',
      options: { maxIterations: 10 },
      context: {},
      on: { go: { actions: assign(({ spawn }) => ({ ref: spawn('work', { id: 'hidden', input: {} }) })) } },
    });
    const open = z.any();
    const work = defineEffect<object, object, object>({ class: 'once', timeoutMs: 1, run: () => Promise.resolve({}) });
    const definition = defineActor({
      kind: 'sneaky',
      version: 1,
      machine: sneaky,
      input: open,
      context: open,
      events: open,
      effects: { work },
      view: () => null,
    });
    const create = mail({ type: 'runtime.create' }, { create: { input: {} } });
    const state = committedState(step(definition, unbornActor(definition, create.envelope, 1), create, NOW).draft);
    const { verdict } = step(definition, state, mail({ type: 'go' }), NOW);
    expect(verdict).toMatchObject({ kind: 'failed', failure: { message: expect.stringContaining('inside assign') } });
  });

  it('[UP-01] a stored actor continues after JSON with its effect and its timer', () => {
    const started = run(born(), mail({ type: 'job.start' }));
    const restored = restoreActor(job, reload(started.draft));
    expect(restored.kind).toBe('ready');
    expect(run(restored.state, result('2:0')).state.snapshot?.value).toBe('ready');
  });

  it('[UP-02] an unknown definition hash stops the actor as needs_migration', () => {
    const loaded = reload(run(born(), mail({ type: 'job.start' })).draft);
    const other = { ...loaded, row: { ...loaded.row, defHash: 'other' } };
    expect(restoreActor(job, other)).toMatchObject({ kind: 'needs_migration' });
    const released = [{ version: 0, defHash: 'other', xstate: '5.33.3' }];
    expect(restoreActor({ ...job, released }, other)).toMatchObject({ kind: 'needs_migration' });
    const lenient = { ...job, released, upgrade: keepState };
    expect(restoreActor(lenient, other)).toMatchObject({ kind: 'upgraded' });
  });

  it('[UP-03] a timer or an effect that the state does not imply stops the actor', () => {
    const loaded = reload(run(born(), mail({ type: 'job.start' })).draft);
    const extra = { timerId: 'xstate.after.9.job.gone', occurrence: 9, dueAtMs: 0, event: {} };
    expect(restoreActor(job, { ...loaded, timers: [...loaded.timers, extra] })).toMatchObject({
      kind: 'needs_migration',
    });
    const orphan = { ...loaded.effects[0]!, effectId: '1:9' };
    expect(restoreActor(job, { ...loaded, effects: [orphan] })).toMatchObject({ kind: 'needs_migration' });
  });
});
