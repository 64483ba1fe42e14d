const { runSchedule } = await import('./schedule/run-schedule.ts');
const { generateSchedule } = await import('./schedule/generate.ts');
const from = Number(process.argv[2] ?? 1),
  n = Number(process.argv[3] ?? 100);
const t = performance.now();
let h = 0;
const counts: any = {};
const rules: any = {};
for (let s = from; s < from + n; s += Number(process.argv[5] ?? 1)) {
  const o = await runSchedule(generateSchedule(s));
  h += o.happened;
  for (const [k, v] of Object.entries(o.counts)) counts[k] = (counts[k] ?? 0) + (v as number);
  if (o.violation) {
    rules[o.violation.rule] = (rules[o.violation.rule] ?? 0) + 1;
    if (rules[o.violation.rule] <= 4) console.log(s, o.violation);
  }
}
console.log((performance.now() - t) / n, 'ms/schedule', h / n, 'happenings', rules);
if (process.argv[4]) console.log(counts);
