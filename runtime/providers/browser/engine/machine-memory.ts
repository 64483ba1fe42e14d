import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';

function readNumber(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return /^\d+$/u.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

function availableOnMachine(): number {
  try {
    const kilobytes = /^MemAvailable:\s+(\d+) kB$/mu.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
    return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
  } catch {
    return freemem();
  }
}

/** What this process and its browser may use and what is left of it; a container's limit counts before the machine's. */
export function machineMemory(): { readonly total: number; readonly available: number } {
  const limit = readNumber('/sys/fs/cgroup/memory.max');
  const used = readNumber('/sys/fs/cgroup/memory.current');
  const machine = { total: totalmem(), available: availableOnMachine() };
  if (limit === undefined || used === undefined || limit >= machine.total) return machine;
  return { total: limit, available: Math.min(machine.available, Math.max(0, limit - used)) };
}
