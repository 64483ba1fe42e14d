import { GUARDS } from './mutants/guards.ts';
import { mutate } from './mutants/mutate.ts';
import { runFleet } from './fleet/fleet.ts';
const only = process.argv[2] ?? '';
const n = Number(process.argv[3] ?? 1500);
const list = GUARDS.filter((g) => g.id.includes(only)); let i = 0;
const worker = async () => { for (;;) { const g = list[i++]; if (!g) return; try {
  const r = await runFleet({ seed: 1_000_001, schedules: n, workers: 3, processes: 1, stopAtFirst: true, mutation: mutate(g) });
  console.log(r.found[0]?.rule ?? 'GREEN', r.schedules, r.seconds.toFixed(1), g.id, r.found[0]?.what?.slice(0, 90)); } catch (e) { console.log('ERROR', g.id, e); } } };
await Promise.all([worker(), worker()]);
