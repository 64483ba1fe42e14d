import { describe, expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { keepState, type ActorDefinition, type Upgrade } from '#runtime/core/define-actor.ts';
import { createHarness, type Harness } from '#tests/support/harness/harness.ts';
import { machines, pipeActor } from '#tests/support/models/versioned-machines.ts';

const ADDRESS = 'pipe/one';

/** An actor of the first version, and what starts the process again with the second. */
async function firstVersion(
  machine: AnyStateMachine = machines.first,
): Promise<{ harness: Harness; deploy: (next: ActorDefinition) => Promise<void> }> {
  const actors = [pipeActor(machine, undefined, [])];
  const harness = createHarness({ actors });
  await harness.start();
  await harness.create(ADDRESS, {});
  const deploy = async (next: ActorDefinition): Promise<void> => {
    actors.splice(0, 1, next);
    await harness.restart();
  };
  return { harness, deploy };
}

const timersOf = (harness: Harness): unknown[] => [...harness.cell(ADDRESS)!.timers.keys()];

describe('a host with another version of a machine', () => {
  it('[UP-09] the first message to an upgraded actor commits its new timer, which then fires', async () => {
    const { harness, deploy } = await firstVersion();
    await harness.send({ to: ADDRESS, event: { type: 'pipe.rest' } });
    await deploy(pipeActor(machines.newAfter, keepState));
    await harness.send({ to: ADDRESS, event: { type: 'pipe.shut' } });
    expect(timersOf(harness)).toEqual(['xstate.after.patience.pipe.resting']);
    await harness.advance(5_000);
    expect(harness.state(ADDRESS)).toBe('shut');
    await harness.stop();
  });

  it('[UP-09] a timer of a renamed state that comes due is replaced by the one that the new state implies', async () => {
    const { harness, deploy } = await firstVersion(machines.newAfter);
    await harness.send({ to: ADDRESS, event: { type: 'pipe.rest' } });
    expect(timersOf(harness)).toEqual(['xstate.after.patience.pipe.resting']);
    const rename: Upgrade = ({ historyValue, context }) => ({ value: 'pausing', historyValue, context });
    await deploy(pipeActor(machines.renamedRest, rename, [machines.newAfter]));
    await harness.advance(8_000);
    expect(timersOf(harness)).toEqual(['xstate.after.patience.pipe.pausing']);
    await harness.advance(5_000);
    expect(harness.state(ADDRESS)).toBe('shut');
    await harness.stop();
  });
});
