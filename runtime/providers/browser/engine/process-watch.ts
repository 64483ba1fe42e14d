/** One look at a process of the browser. */
export type ProcessSample = {
  readonly pid: number;
  readonly isRenderer: boolean;
  readonly bytes: number;
  readonly cpuMs: number;
};
export type Look = { readonly atMs: number; readonly samples: readonly ProcessSample[] };

export type WatchLimits = {
  readonly rendererBytes: number;
  /** Of all processes together: beyond it the browser gets no new session. */
  readonly engineBytes: number;
  /** A page may keep a core busy for so long without a pause. */
  readonly busyMs: number;
};

export type WatchState = { readonly last: Look | undefined; readonly busySince: ReadonlyMap<number, number> };
export type WatchVerdict = {
  readonly state: WatchState;
  readonly bytes: number;
  readonly isTooLarge: boolean;
  readonly end: readonly { readonly pid: number; readonly reason: string }[];
};

export const NOTHING_SEEN: WatchState = { last: undefined, busySince: new Map() };

const BUSY_SHARE = 0.9;
/** So far beyond its limit a browser is not waited for: its largest page has to go. */
const HARD_FACTOR = 1.5;

/** Which pages have to end, by what two looks one after the other show. Pure: the looks come from outside. */
export function judgeProcesses(state: WatchState, look: Look, limits: WatchLimits): WatchVerdict {
  const busySince = new Map<number, number>();
  const end: { pid: number; reason: string }[] = [];
  const { last } = state;
  for (const { pid, isRenderer, bytes, cpuMs } of look.samples) {
    if (!isRenderer) continue;
    const before = last?.samples.find((one) => one.pid === pid);
    const isBusy =
      last !== undefined && before !== undefined && cpuMs - before.cpuMs >= (look.atMs - last.atMs) * BUSY_SHARE;
    const since = isBusy ? (state.busySince.get(pid) ?? last.atMs) : undefined;
    if (bytes > limits.rendererBytes) end.push({ pid, reason: 'it takes too much memory' });
    else if (since !== undefined && look.atMs - since >= limits.busyMs)
      end.push({ pid, reason: 'it keeps the processor busy without a pause' });
    if (since !== undefined) busySince.set(pid, since);
  }
  const bytes = look.samples.reduce((sum, sample) => sum + sample.bytes, 0);
  if (bytes > limits.engineBytes * HARD_FACTOR && end.length === 0) {
    const [largest] = look.samples.filter(({ isRenderer }) => isRenderer).sort((a, b) => b.bytes - a.bytes);
    if (largest !== undefined) end.push({ pid: largest.pid, reason: 'the browser takes too much memory' });
  }
  return { state: { last: look, busySince }, bytes, isTooLarge: bytes > limits.engineBytes, end };
}
