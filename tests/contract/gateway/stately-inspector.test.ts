import { createWebSocketReceiver, type StatelyInspectionEvent } from '@statelyai/inspect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { WebSocket } from 'ws';
import type { StatelyEvent } from '#gateway/inspector/stately-events.ts';
import { API_TOKEN } from '#tests/support/fakes/gateway-harness.ts';
import { startHeaderRelay } from '#tests/support/fakes/header-relay.ts';
import { startInspectedPumps, type InspectedPumps } from '#tests/support/fakes/inspected-pumps.ts';

type Shown = Extract<StatelyInspectionEvent, { type: '@xstate.actor' }>;
type Snapshots = Extract<StatelyInspectionEvent, { type: '@xstate.snapshot' }>;
const BEARER = `Authorization: Bearer ${API_TOKEN}`;

describe('the Stately inspector', () => {
  let pumps: InspectedPumps;
  let relay: Awaited<ReturnType<typeof startHeaderRelay>>;

  /** Its own receiver, as the inspector's screen uses it. */
  const receive = (query = ''): StatelyInspectionEvent[] => {
    const events: StatelyInspectionEvent[] = [];
    createWebSocketReceiver({ server: `ws://127.0.0.1:${relay.port}/inspect${query}` }).subscribe((event) => {
      events.push(event);
    });
    return events;
  };
  const line = (event: StatelyInspectionEvent) => {
    const of = `${event.type.slice(8)} ${event.sessionId}`;
    return event.type === '@xstate.actor' ? of : `${of} ${event.event.type}`;
  };
  const refusal = (path: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${pumps.port}${path}`, { headers });
      socket.on('unexpected-response', (request, response) => {
        request.destroy();
        resolve(response.statusCode ?? 0);
      });
      socket.on('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.on('error', reject);
    });

  beforeEach(async () => {
    pumps = await startInspectedPumps();
    relay = await startHeaderRelay(pumps.port, BEARER);
    await pumps.create('a');
  });
  afterEach(async () => {
    await relay.close();
    await pumps.close();
  });

  it('[IN-01] is told the history first, then what happens, by its own receiver', async () => {
    await pumps.ask('a', { type: 'pump.stroke' });
    const events = receive('?actor=pump/a');
    await expect.poll(() => events.length).toBe(5);
    await pumps.ask('a', { type: 'pump.rest' });
    await pumps.ask('a', { type: 'pump.stroke' });
    await expect.poll(() => events.length).toBe(8);
    expect(events.map(line)).toEqual([
      'actor pump/a',
      'event pump/a runtime.create',
      'snapshot pump/a runtime.create',
      'event pump/a pump.stroke',
      'snapshot pump/a pump.stroke',
      'event pump/a pump.rest',
      'snapshot pump/a pump.rest',
      'event pump/a pump.stroke',
    ]);
    expect((events[6] as Snapshots).snapshot).toEqual({
      status: 'active',
      value: 'resting',
      context: { strokes: 1, isBroken: false, note: '' },
    });
  });

  it('[IN-01] every event has the fields that the protocol names', async () => {
    const check = (event: StatelyEvent): StatelyInspectionEvent => event;
    const events = receive('?actor=pump/a');
    await expect.poll(() => events.length).toBe(3);
    for (const event of events) {
      expect(check(event as unknown as StatelyEvent)).toMatchObject({
        sessionId: 'pump/a',
        rootId: 'pump/a',
        _version: '0.7.2',
        id: expect.any(String) as string,
        createdAt: expect.stringMatching(/^\d{13}$/) as string,
      });
    }
    const [actor] = events as [Shown];
    expect(actor).toMatchObject({ name: 'pump/a', snapshot: { status: 'active', value: 'running' } });
    const drawn = createMachine(JSON.parse(actor.definition ?? '{}') as object);
    expect(Object.keys(drawn.states)).toEqual(['running', 'resting', 'measuring', 'paused']);
  });

  it('[IN-01] shows the actors of the project, those that appear later too, and who sent what', async () => {
    const events = receive();
    await expect.poll(() => events.length).toBe(3);
    await pumps.ask('a', { type: 'pump.spawn', id: 'child' });
    await pumps.create('stranger', 'other');
    const ofChild = () => events.filter(({ sessionId }) => sessionId === 'pump/child');
    await expect.poll(() => ofChild().length).toBe(5);
    expect(ofChild()[0]).toMatchObject({ type: '@xstate.actor', parentId: 'pump/a', rootId: 'pump/a' });
    expect(ofChild()[3]).toMatchObject({ event: { type: 'pump.stroke' }, sourceId: 'pump/a' });
    expect(events.filter(({ sessionId }) => sessionId === 'pump/stranger')).toEqual([]);
  });

  it('[IN-01] an actor whose beginning is no longer kept is shown as it is now, and goes on', async () => {
    await pumps.ask('a', { type: 'pump.stroke' });
    pumps.tables.cells.get('default\npump/a')?.transitions.shift();
    const events = receive('?actor=pump/a');
    await expect.poll(() => events.length).toBe(1);
    expect(events[0]).toMatchObject({ type: '@xstate.actor', snapshot: { context: { strokes: 1 } } });
    await pumps.ask('a', { type: 'pump.stroke' });
    await expect.poll(() => events.length).toBe(3);
    expect((events[2] as Snapshots).snapshot).toMatchObject({ context: { strokes: 2 } });
  });

  it('[IN-01] a value that the log left out shows its length', async () => {
    await pumps.ask('a', { type: 'pump.note', text: 'x'.repeat(5000) });
    const events = receive('?actor=pump/a');
    await expect.poll(() => events.length).toBe(5);
    expect(events[3]).toMatchObject({ event: { text: '… 5002 characters' } });
    expect((events[4] as Snapshots).snapshot).toMatchObject({ context: { note: '… 5002 characters', strokes: 0 } });
  });

  it('[GW2] who is not signed in, a foreign origin, an unknown project and a wrong name are refused', async () => {
    const bearer = { Authorization: `Bearer ${API_TOKEN}` };
    expect(await refusal('/inspect', bearer)).toBe(101);
    expect(await refusal('/inspect', {})).toBe(401);
    expect(await refusal('/inspect', { ...bearer, Origin: 'https://evil.example' })).toBe(403);
    expect(await refusal('/inspect', { ...bearer, Host: 'evil.example' })).toBe(403);
    expect(await refusal('/inspect?project=nowhere', bearer)).toBe(404);
    expect(await refusal('/inspect?actor=nothing', bearer)).toBe(400);
    const cookie = { Cookie: pumps.gateway.issueSignInPath() };
    expect(await refusal('/inspect', cookie)).toBe(401);
  });

  it('[GW3] closing the gateway ends inspectors', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${pumps.port}/inspect`, {
      headers: { Authorization: `Bearer ${API_TOKEN}` },
    });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => socket.on('open', resolve));
    await pumps.gateway.close();
    await closed;
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });
});
