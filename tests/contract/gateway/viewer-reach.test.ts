import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSourceFiles } from '#scripts/lint/source-files.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SPECIFIER = /(?:from|import)\s*\(?\s*'([#.][^']+)'/gu;

function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(SPECIFIER)].map(([, target = '']) =>
    target.startsWith('#') ? target.slice(1) : join(dirname(path), target),
  );
}

/** Everything that the files load or take types from, however far away. */
function reachOf(paths: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path) || !existsSync(join(ROOT, path))) continue;
    reached.add(path);
    waiting.push(...importsOf(path));
  }
  return reached;
}

describe('what the gateway can reach', () => {
  const gateway = listSourceFiles(ROOT, /\.ts$/).filter((path) => path.startsWith('gateway/'));

  it('[VW-01] no import leads from the gateway to a browser, an actor or a process that has one', () => {
    const reached = [...reachOf(gateway)];
    expect(reached.length).toBeGreaterThan(gateway.length);
    expect(reached.filter((path) => /^(runtime|actors|persistence)\//u.test(path))).toEqual([]);
    // the same walk does find the way where there is one
    expect([...reachOf(['runtime/main/web.ts', 'runtime/main/product.ts'])]).toContain(
      'runtime/providers/browser/browser.ts',
    );
  });

  it('[VW-01] the gateway does not even know the port by which a browser is made to act', () => {
    expect(gateway.length).toBeGreaterThan(50);
    expect(gateway.filter((path) => importsOf(path).includes('contracts/ports/browser.ts'))).toEqual([]);
  });
});
