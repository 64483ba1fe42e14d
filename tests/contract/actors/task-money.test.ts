import { describe, expect, it } from 'vitest';
import { advance } from '#actors/task/plan.ts';
import { closeAccount, followAccount, isShortOfMoney, openAccount } from '#actors/task/money.ts';
import { adoptFinished, beginWriting, isWriterBroke, isWriterBusy, writeWithoutMoney } from '#actors/task/progress.ts';
import { pauseForLater, resume } from '#actors/task/lifecycle.ts';
import { openPlan } from '#actors/task/plan.ts';
import { newTask } from '#actors/task/new-task.ts';
import { Decision } from '#actors/task/decision.ts';
import type { TaskState } from '#actors/task/contract.ts';
import { failure } from '#contracts/errors.ts';
import type { Engine } from '#contracts/research/engine.ts';
import { compiled, proposal, QUESTION, SOURCE } from '#tests/support/models/product/research-fixtures.ts';

const AT = '2026-01-01T00:00:00.000Z';
const MODEL: Engine = { kind: 'model', profile: 'm', profile_version: '1', prompts_version: '1', price_version: '1' };
const totals = {
  currency: 'USD',
  cap_minor: '100',
  reserved_minor: '5',
  settled_minor: '86',
  unknown_calls: 1,
  held_unknown_minor: '3',
  at_85_percent: true,
};

function running(engine: Engine = MODEL): TaskState {
  const output = compiled('research');
  const task = newTask({
    task_id: 'tsk_money-0001',
    conversation_id: null,
    turn_id: null,
    parent_task_id: null,
    text: QUESTION,
    mode: 'research',
    auto_start: true,
    created_time: AT,
  });
  const spec = output.role === 'requirement_compiler' ? output.task_spec : null;
  const decision = new Decision({ ...task, spec, engine, run: 1, status: 'running' }, { at: AT });
  openPlan(decision);
  return decision.state;
}

const finished = (state: TaskState, kind: string, envelope: object): TaskState => {
  const node = state.nodes.find((one) => one.kind === kind && one.status === 'running');
  const event = { type: 'work.finished', work_item_id: node?.work_item_id, envelope, at: AT };
  return adoptFinished(state, event as never, kind === 'write' ? 'quietly' : 'advance').state;
};
const found = (urls: readonly string[]) => ({
  outcome: 'succeeded',
  result: { kind: 'discover', queries: [], candidates: urls.map((url) => ({ url, title: url, snippet: '' })) },
});
const sentBy = (decision: Decision, type: string) =>
  decision.settle().requests.filter((one) => one.request === 'send' && one.event.type === type);

describe('money of a task', () => {
  it('[T8] an account is opened for a model and for nothing else, and closed at the end (BU-01)', () => {
    const state = running();
    const opened = sentBy(openAccount(new Decision(state, { at: AT }), MODEL, state.spec), 'ledger.open_task');
    expect(opened).toMatchObject([
      { to: 'ledger/main', event: { task_id: state.task_id, reply_to: `task/${state.task_id}` } },
    ]);
    expect(sentBy(closeAccount(new Decision(state, { at: AT })), 'ledger.close_task')).toHaveLength(1);
    const free = new Decision(running({ kind: 'extractive' }), { at: AT });
    expect(sentBy(closeAccount(openAccount(free, { kind: 'extractive' }, null)), 'ledger.open_task')).toEqual([]);
  });

  it('[T8] what the ledger tells is published as it is, and at 85 % no wave is opened any more (BU-03, T30)', () => {
    const changed = {
      type: 'budget.changed',
      event_type: 'budget.settled',
      data: { a: 1 },
      totals,
      task_id: 't',
      at: AT,
    } as const;
    const followed = followAccount(running(), changed);
    expect(followed.settle().requests).toContainEqual({ request: 'publish', type: 'budget.settled', data: { a: 1 } });
    expect(followed.state.cost).toMatchObject({ settled_minor: '86', unknown_calls: 1, held_unknown_minor: '3' });
    expect(isShortOfMoney(followed.state)).toBe(true);
    const later = (state: TaskState): TaskState => ({
      ...state,
      nodes: state.nodes.map((node) => ({ ...node, status: 'succeeded' as const })),
      questions: state.questions.map((question) => ({
        ...question,
        candidates: [{ url: 'https://b.example/', title: 'B', snippet: '' }],
      })),
      reads: [],
      chosen_urls: ['https://a.example/'],
    });
    const withRead = (state: TaskState): TaskState => ({
      ...later(state),
      nodes: [
        ...later(state).nodes,
        {
          ...later(state).nodes[0]!,
          kind: 'read',
          number: 2,
          work_item_id: 'wrk_r',
          status: 'blocked',
          payload: { kind: 'read', url: 'https://a.example/', title: 'A' },
        },
      ],
    });
    const poor = new Decision(withRead(followed.state), { at: AT });
    expect([advance(poor), poor.state.wave]).toEqual([true, 1]);
    const rich = new Decision(withRead(running()), { at: AT });
    expect([advance(rich), rich.state.wave]).toEqual([false, 2]);
  });

  it('[T8] a writer that was refused its money is followed by one without a model, and the gap says so (T29)', () => {
    const covered = {
      ...running(),
      questions: [{ question: QUESTION, candidates: [], assertions: 1, sources: 1, independent: 1, inherited: [] }],
      nodes: [],
    };
    const writing = beginWriting(covered, { at: AT }).state;
    const refused = failure('budget.refused', 'the cap is reached', { details: { reason: 'cap' } });
    const broke = finished(writing, 'write', { outcome: 'blocked', reason: refused.message, failure: refused });
    expect([broke.exhausted, isWriterBroke(broke)]).toEqual([true, true]);
    const again = writeWithoutMoney(broke, { at: AT });
    const spawned = again.settle().requests.find((one) => one.request === 'spawn');
    expect(spawned).toMatchObject({ kind: 'work-item', input: { engine: { kind: 'extractive' } } });
    expect(again.state.gaps.at(-1)).toMatchObject({ reason: 'not_requested' });
    expect(isWriterBroke(again.state)).toBe(false);
  });

  it('[T9] a rate limit at the last step keeps everything; the resumed task writes and reads nothing again (T25)', () => {
    const covered = {
      ...running(),
      questions: [{ question: QUESTION, candidates: [], assertions: 1, sources: 1, independent: 1, inherited: [] }],
      nodes: [],
    };
    const busy = failure('model.rate_limited', 'later', { retry: { kind: 'after', ms: 600_000 } });
    const failed = finished(beginWriting(covered, { at: AT }).state, 'write', { outcome: 'failed', failure: busy });
    expect(isWriterBusy(failed)).toBe(true);
    const paused = pauseForLater(failed, { at: AT });
    expect(paused.state).toMatchObject({ status: 'paused', problem: { code: 'model.rate_limited' } });
    const resumed = resume(paused.state, { at: AT }, { findings: [], missing_sources: [], engine_problem: null });
    expect(resumed.state.nodes.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['write running']);
    expect(resumed.state.problem).toBeNull();
  });

  it('[T5] a report that asserts nothing is no answer, whatever it cost (T26)', () => {
    const writing = beginWriting({ ...running(), nodes: [] }, { at: AT }).state;
    const citations = [{ n: 1 }];
    const empty = {
      outcome: 'succeeded',
      result: { kind: 'write', markdown: 'Nothing.', asserting_sentences: 0, citations },
    };
    expect(finished(writing, 'write', empty).answer?.citations).toEqual([]);
  });

  it('[PL-05] with a model a page is extracted when it was read, and what all pages say is verified together', () => {
    let state = finished(running(), 'discover', found(['https://a.example/', 'https://b.example/']));
    state = { ...state, choosing: false };
    const chosen = new Decision(state, { at: AT });
    chosen.set({ nodes: [...state.nodes] });
    const reads = ['https://a.example/', 'https://b.example/'];
    const read = (n: number) => ({
      outcome: 'succeeded',
      result: {
        kind: 'read',
        source_revision_id: `${SOURCE}-${n}`,
        final_url: reads[n],
        title: 'A',
        language: 'en',
        page_kind: 'article',
        characters: 9,
      },
    });
    for (const url of reads) {
      chosen.set({
        nodes: [
          ...chosen.state.nodes,
          {
            ...chosen.state.nodes[0]!,
            number: chosen.state.nodes.length + 1,
            work_item_id: `wrk_${url}`,
            kind: 'read',
            status: 'running',
            needs: [],
            payload: { kind: 'read', url, title: url },
          },
        ],
      });
    }
    state = finished(chosen.state, 'read', read(0));
    expect(state.nodes.filter(({ kind }) => kind === 'extract').map(({ status }) => status)).toEqual(['running']);
    expect(state.nodes.filter(({ kind, status }) => kind === 'read' && status === 'running')).toHaveLength(1);
    state = finished(state, 'extract', { outcome: 'succeeded', result: { kind: 'extract', proposals: [proposal] } });
    expect(state.nodes.filter(({ kind }) => kind === 'verify')).toEqual([]);
    state = finished(state, 'read', read(1));
    state = finished(state, 'extract', { outcome: 'no_content', reason: 'no passage' });
    const verify = state.nodes.find(({ kind }) => kind === 'verify');
    expect(verify).toMatchObject({ status: 'running', payload: { proposals: [proposal] } });
    expect(verify?.limitations).toHaveLength(1);
  });
});
