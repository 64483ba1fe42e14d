import { createRequire } from 'node:module';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';

const { version } = createRequire(import.meta.url)('xstate/package.json') as { version: string };
export const INSTALLED_XSTATE = version;

/** What a developer has to do before this definition may meet stored rows; `null` when nothing. */
export function findReleaseProblem(definition: ActorDefinition, xstate: string): string | null {
  const { kind, released, upgrade } = definition;
  const last = released.at(-1);
  const entry = (next: number) => `{ version: ${next}, defHash: '${definition.defHash}', xstate: '${xstate}' }`;
  if (last === undefined) return `'${kind}' was never released: list ${entry(definition.version)} in its released.ts`;
  const next = last.version + 1;
  if (last.defHash !== definition.defHash) {
    return (
      `the machine of '${kind}' changed since version ${last.version} (${last.defHash}): set version ${next} in its actor.ts, ` +
      `write its upgrade.ts, add ${entry(next)} to its released.ts, then run: node --import tsx scripts/write-corpus.ts`
    );
  }
  if (last.xstate !== xstate) {
    return (
      `'${kind}' was released on XState ${last.xstate}, this is ${xstate}: set version ${next} in its actor.ts, ` +
      `add ${entry(next)} to its released.ts, then run: node --import tsx scripts/write-corpus.ts`
    );
  }
  if (last.version !== definition.version)
    return `'${kind}' says version ${definition.version}, its last release is ${last.version}`;
  if (released.some((release, index) => release.version !== (released[0]?.version ?? 0) + index)) {
    return `the releases of '${kind}' are not numbered one after the other`;
  }
  if (upgrade === null && released.some(({ defHash }) => defHash !== definition.defHash)) {
    return `'${kind}' has older releases and no upgrade.ts to carry their rows over`;
  }
  return null;
}
