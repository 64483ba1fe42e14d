export type Span = { readonly warmUpMs: number; readonly measuredMs: number };
/** `cpuMicros`: processor time of this process per step. */
export type Rate = { readonly stepsPerS: number; readonly cpuMicros: number };

/** Lets the work run warm, then counts it for a while. */
export async function window(span: Span, steps: () => number, onWarm: () => void = () => {}): Promise<Rate> {
  await pause(span.warmUpMs);
  onWarm();
  const first = steps();
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await pause(span.measuredMs);
  const done = steps() - first;
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { stepsPerS: done / seconds, cpuMicros: (user + system) / Math.max(1, done) };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
