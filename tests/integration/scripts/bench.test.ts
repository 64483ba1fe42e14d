import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import type { LoadReport } from '#scripts/bench/load/load-report.ts';

type Ended = { readonly code: number | null; readonly output: string; readonly errors: string };

/** The server of this run when it has an address; else the bench starts one of its own. */
function serverArgs(): string[] {
  const { url } = inject('postgres');
  return url === undefined ? [] : ['--database', url];
}

function runBench(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/bench.ts', ...args]);
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('exit', (code) => resolve({ code, output, errors }));
  });
}

describe('bench load', () => {
  it('[LD-01] creates, wakes, recovers and stops actors; prints a table, JSON and a page; nothing lands after a stop', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'yunsou-load-'));
    const html = join(folder, 'load.html');
    const common = ['--skip', 'watching', '--json', '--html', html];
    const { code, output, errors } = await runBench(['load', '--actors', '300', ...serverArgs(), ...common]);
    const page = code === 0 ? readFileSync(html, 'utf8') : '';
    rmSync(folder, { recursive: true, force: true });
    expect(code, errors).toBe(0);
    const report = JSON.parse(output) as LoadReport;
    expect(report).toMatchObject({ actors: 300, recovery_actors: 300, stop_actors: 300, stop_rounds: 3 });
    for (const name of FIGURES) expect(report[name], name).toBeGreaterThan(0);
    expect(report).toMatchObject({ commits_after_stop: 0, effects_after_stop: 0, watching_ratio: null });
    expect(errors).toContain('recovered after a kill in');
    expect(page).toContain('<svg role="img" aria-label="Actors created per second"');
    expect(page).not.toMatch(/<script|https?:|NaN|undefined/);
  }, 180_000);

  it.each([
    [['--actors', '7'], '--actors expects a number from 100 to 1000000, not "7"'],
    [['--skip', 'lunch'], '--skip expects some of workers, stop, watching, not "lunch"'],
  ])(
    '[LD-01] %o is refused in a sentence',
    async (args, sentence) => {
      const { code, errors } = await runBench(['load', ...args]);
      expect(code).toBe(1);
      expect(errors).toContain(sentence);
    },
    60_000,
  );
});

const FIGURES = [
  'spawn_per_s',
  'spawn_limit_per_s',
  'resident_bytes_per_actor',
  'wake_p50_ms',
  'wake_p99_ms',
  'cross_process_p50_ms',
  'cross_process_p99_ms',
  'recovery_s',
  'recovered_actors',
  'others_p99_before_ms',
  'others_p99_during_ms',
  'stop_persisted_p99_ms',
  'stop_commits',
  'stop_effects',
] as const;
