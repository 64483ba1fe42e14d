import { bossActor, jobActor } from '#tests/support/harness/sample-actors.ts';
import { floodActor } from '#tests/support/harness/flood-actor.ts';
import { pumpActor } from '#tests/support/fakes/pump-actor.ts';
import { defineModel, type ActorModel } from './actor-model.ts';
import { plantActor, ringActor } from './sample-machines.ts';

const always =
  (type: string, fields: Record<string, unknown> = {}) =>
  () => [{ type, ...fields }];
const all = (types: readonly string[]) => Object.fromEntries(types.map((type) => [type, always(type)]));

type Job = { note: string; ticks: number; heard: string[] };
const job = defineModel<Job>({
  definition: jobActor,
  scenarios: [{ name: 'a', input: { name: 'a' } }],
  mail: {
    ...all(['job.fetch', 'job.pay', 'job.wait', 'job.cancel', 'job.finish', 'job.tick', 'job.explode']),
    'job.note': always('job.note', { text: 'noted' }),
    'job.say': always('job.say', { text: 'hello' }),
    'job.tell': always('job.tell', { to: 'job/b', text: 'hello' }),
  },
  outputs: { fetch: () => [{ text: 'a page' }], pay: () => [{ receipt: 'r1' }] },
  interrupts: ['job.cancel', 'job.finish'],
  defects: ['job.explode'],
  keyOf: ({ note, ticks, heard }) => [note, ticks > 0, heard.length > 0],
});

const boss = defineModel<{ generation: number; fenced: string[] }>({
  definition: bossActor,
  scenarios: [{ name: 'b', input: { id: 'b' } }],
  mail: {
    ...all(['boss.stop']),
    'boss.start': () => [
      { type: 'boss.start', children: [] },
      { type: 'boss.start', children: ['one', 'two'] },
    ],
    'child.fenced': always('child.fenced', { address: 'job/one' }),
  },
  interrupts: ['boss.stop'],
  keyOf: ({ generation, fenced }) => [Math.min(generation, 3), Math.min(fenced.length, 2)],
});

const flood = defineModel<{ drops: number }>({
  definition: floodActor,
  scenarios: [{ name: 'f', input: { self: 'flood/f', target: 'flood/g' } }],
  mail: all(['flood.go', 'flood.stop', 'flood.drop']),
  interrupts: ['flood.stop'],
  keyOf: ({ drops }) => Math.min(drops, 2),
});

type Pump = { strokes: number; isBroken: boolean; note: string };
const pump = defineModel<Pump>({
  definition: pumpActor,
  scenarios: [{ name: 'p', input: { strokes: 2 } }],
  mail: {
    ...all(['pump.stroke', 'pump.check', 'pump.break', 'pump.mend', 'pump.rest']),
    'pump.pause': always('pump.pause', { request_id: 'r1' }),
    'pump.resume': always('pump.resume', { request_id: 'r2' }),
    'pump.note': always('pump.note', { text: 'creaks' }),
    'pump.spawn': always('pump.spawn', { id: 'q' }),
  },
  outputs: { gauge: () => [{ pressure: 2 }] },
  interrupts: ['pump.pause'],
  keyOf: ({ strokes, isBroken, note }) => [Math.min(strokes, 4), isBroken, note],
});

const plant = defineModel({
  definition: plantActor,
  scenarios: [{ name: 'light', input: { load: 0 } }],
  mail: all([
    ...['plant.start', 'plant.pause', 'plant.resume', 'plant.stop', 'plant.again', 'plant.load', 'plant.idle'],
    'plant.nudge',
  ]),
  outputs: { sampler: () => [{ level: 3 }], alarm: () => [{}], drainer: () => [{}] },
  interrupts: ['plant.pause', 'plant.stop'],
});

const ring = defineModel({
  definition: ringActor,
  scenarios: [{ name: 'r', input: {} }],
  mail: {
    'ring.turn': () => ['left', 'right', 'top'].map((side) => ({ type: 'ring.turn', side })),
    ...all(['ring.tell', 'ring.toll']),
  },
});

/** Of the machines that only tests know. */
export const sampleModels: readonly ActorModel[] = [job, boss, flood, pump, plant, ring];
