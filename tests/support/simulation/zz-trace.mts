const { runSchedule } = await import('./schedule/run-schedule.ts');
const { generateSchedule } = await import('./schedule/generate.ts');
const o = await runSchedule(generateSchedule(Number(process.argv[2])), (l: string) => console.log(l));
console.log(o.violation);
