import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationAccepted, TaskDetail } from '#contracts/http/tasks.ts';
import { startGateway, type GatewayHarness, type ProblemBody } from '#tests/support/fakes/gateway-harness.ts';

const TASKS = '/api/v1/tasks';
const QUESTION = { request_id: 'request-0001', text: '怎么停止一个任务?', mode: 'research', auto_start: false };

describe('tasks over HTTP', () => {
  let host: GatewayHarness;
  let task: OperationAccepted;
  const command = <T = OperationAccepted>(name: string, body: object) =>
    host.call<T>(`${TASKS}/${task.task_id}/${name}`, { method: 'POST', body });
  const start = (request_id = 'request-start') =>
    command('start', { request_id, plan_hash: 'a'.repeat(64), plan_version: 1 });

  beforeEach(async () => {
    host = await startGateway();
    task = (await host.call<OperationAccepted>(TASKS, { method: 'POST', body: QUESTION })).body;
  });
  afterEach(async () => host.close());

  it('[AP-01] a created task can be read, listed and filtered', async () => {
    const { body } = await host.call<TaskDetail>(`${TASKS}/${task.task_id}`);
    expect(body).toMatchObject({ task_id: task.task_id, status: 'ready', event_seq: '1', snapshot_event_seq: '1' });
    const count = async (query: string) => (await host.call<{ tasks: unknown[] }>(TASKS + query)).body.tasks.length;
    expect(await count('')).toBe(1);
    expect(await count('?status=ready')).toBe(1);
    expect(await count('?status=running')).toBe(0);
    expect(await count('?conversation_id=cnv_none00000')).toBe(0);
    expect((await host.call(`${TASKS}?status=flying`)).status).toBe(400);
    expect((await host.call(`${TASKS}?colour=red`)).status).toBe(400);
  });

  it('[AP-01] [RO-02] how the roles of a task worked is there to read, in its project alone', async () => {
    const run = {
      role_run_id: 'rol_one-00001',
      task_id: task.task_id,
      role: 'extractor' as const,
      status: 'finished' as const,
      engine: { kind: 'extractive' as const },
      versions: { contract: 'c/1', prompt: 'p/1', model_profile: 'none', tool_policy: 't/1', output_schema: 'o/1' },
      calls: 0,
      costs: [],
      pack: null,
      notes: [{ what: 'a quote', reason: 'the quote does not stand in the source' }],
      failure: null,
    };
    host.shelf.roleRuns.push(run, { ...run, role_run_id: 'rol_two-00001', task_id: 'tsk_other0000' });
    const path = `${TASKS}/${task.task_id}/role-runs`;
    expect(await host.call(path)).toMatchObject({ status: 200, body: { role_runs: [run] } });
    expect((await host.call(path, { headers: { 'X-Project-ID': 'other' } })).status).toBe(404);
    expect((await host.call(`${TASKS}/tsk_unknown000/role-runs`)).status).toBe(404);
  });

  it('[AP-01] the same request_id is the same task, other content a conflict', async () => {
    host.clock.advance(5000);
    expect(await host.call(TASKS, { method: 'POST', body: QUESTION })).toMatchObject({ status: 202, body: task });
    const other = await host.call<ProblemBody>(TASKS, { method: 'POST', body: { ...QUESTION, text: 'else' } });
    expect(other).toMatchObject({ status: 409, body: { code: 'request.conflict' } });
  });

  it('[AP-01] a command is 202 with its operation; the same command again has one effect', async () => {
    const first = await start();
    expect(first).toMatchObject({ status: 202, body: { task_id: task.task_id, event_seq: '2' } });
    expect(await start()).toMatchObject({ status: 202, body: first.body });
    const stop = await command('stop', { request_id: 'request-stop' });
    expect(stop).toMatchObject({ status: 202, body: { event_seq: '3' } });
    expect(host.world.consumed.map((one) => [one.event.type, one.priority ?? 'normal'])).toEqual([
      ['runtime.create', 'normal'],
      ['task.start', 'normal'],
      ['task.stop', 'operator'],
    ]);
  });

  it('[AP-01] one request_id for two commands is a conflict', async () => {
    await start('request-same');
    expect(await command('stop', { request_id: 'request-same' })).toMatchObject({ status: 409 });
    expect((await host.call<TaskDetail>(`${TASKS}/${task.task_id}`)).body.status).toBe('running');
  });

  it('[AP-01] a command that is not possible now says the present status', async () => {
    const refused = await command<ProblemBody>('pause', { request_id: 'request-pause' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'actor.ignored', details: { status: 'ready' } } });
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
  });

  it('[AP-01] expected_event_seq that is no longer true is 412', async () => {
    const body = { request_id: 'request-late', expected_event_seq: '7' };
    const refused = await command<ProblemBody>('cancel', body);
    expect(refused).toMatchObject({ status: 412, body: { code: 'request.precondition_failed' } });
    expect((await command('cancel', { request_id: 'request-now', expected_event_seq: '1' })).status).toBe(202);
  });

  it('[AP-01] a refusal that the actor explains becomes that problem', async () => {
    const body = { request_id: 'request-v2', plan_hash: 'a'.repeat(64), plan_version: 2 };
    expect(await command<ProblemBody>('start', body)).toMatchObject({
      status: 409,
      body: { code: 'request.conflict', detail: 'the plan is at version 1' },
    });
  });

  it('[AP-01] another project sees no task and commands none', async () => {
    const other = { 'X-Project-ID': 'other' };
    expect((await host.call(`${TASKS}/${task.task_id}`, { headers: other })).status).toBe(404);
    const body = { request_id: 'request-far' };
    const stop = await host.call(`${TASKS}/${task.task_id}/stop`, { method: 'POST', body, headers: other });
    expect(stop.status).toBe(404);
    expect((await host.call(`${TASKS}/${task.task_id}/events`, { headers: other })).status).toBe(404);
    expect((await host.call<{ tasks: unknown[] }>(TASKS, { headers: other })).body.tasks).toEqual([]);
  });

  it('[AP-01] what does not exist is 404, what may not be done here is 405, both as problems', async () => {
    expect(await host.call('/api/v1/nothing')).toMatchObject({ status: 404, body: { code: 'resource.not_found' } });
    const put = await host.call(TASKS, { method: 'PUT', body: {} });
    expect(put).toMatchObject({ status: 405, body: { code: 'request.invalid' } });
    expect(put.headers.get('allow')).toContain('POST');
  });
});
