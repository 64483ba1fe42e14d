import { readdir, readFile } from 'node:fs/promises';

type Row = { readonly pid: number; readonly parent: number };

async function processes(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8');
      // The name of the program stands in brackets and may hold spaces.
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      rows.push({ pid: Number(name), parent: Number(parent) });
    } catch {
      // It ended meanwhile.
    }
  }
  return rows;
}

async function proportionalKilobytes(pid: number): Promise<number> {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/mu.exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Memory of everything that this process started, shared pages counted once; null where the system does not tell. */
export async function descendantMegabytes(): Promise<number | null> {
  try {
    const rows = await processes();
    const ours = new Set([process.pid]);
    // Parents have mostly lower numbers, but not always: repeated until nothing is added.
    for (let before = 0; before !== ours.size;) {
      before = ours.size;
      for (const { pid, parent } of rows) if (ours.has(parent)) ours.add(pid);
    }
    ours.delete(process.pid);
    const sizes = await Promise.all([...ours].map(proportionalKilobytes));
    const sum = sizes.reduce((total, size) => total + size, 0);
    return sum === 0 ? null : sum / 1024;
  } catch {
    return null;
  }
}
