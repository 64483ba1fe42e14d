import { shardOf } from '#contracts/shards.ts';
import type { SimWorld } from '../world/sim-world.ts';
import { PROJECT } from './names.ts';
import type { Verb } from './schedule.ts';

/** Happenings between two alarms while time moves; seldom all there are, so that work is late. */
const PACE = 14;

export async function perform(world: SimWorld, step: Verb): Promise<void> {
  switch (step.verb) {
    case 'mail':
      return world.post(step.worker, { to: step.to, event: step.event });
    case 'stop':
      return world.post(step.worker, { to: step.to, event: step.event }, { priority: 'operator' });
    case 'ask':
      return world.ask(step.worker, { to: step.to, event: step.event });
    case 'redeliver': {
      const message = world.posted[step.pick % Math.max(1, world.posted.length)];
      if (message !== undefined) world.repost(step.worker, message);
      return;
    }
    case 'hint':
      return world.wire.publish(`mail.${shardOf(PROJECT, step.to)}`, '', world.dice);
    case 'wire':
      world.wire.drop = step.drop;
      world.wire.duplicate = step.duplicate;
      return;
    case 'advance':
      return await world.advance(step.ms, () => world.dice.below(PACE) + 1);
    default:
      return disturb(world, step);
  }
}

function disturb(world: SimWorld, step: Extract<Verb, { readonly worker: number }>): void {
  const slot = world.slots[step.worker];
  if (step.verb === 'restart') {
    world.boot(step.worker, step.skewMs, step.isRenamed);
    return world.noteFault('restart');
  }
  if (slot === null || slot === undefined || slot.process.isGone) return;
  const { process } = slot;
  switch (step.verb) {
    case 'kill':
      process.kill();
      break;
    case 'freeze':
      process.freeze();
      break;
    case 'thaw':
      if (!process.isFrozen) return;
      process.thaw();
      break;
    case 'cut':
      process.isCut = true;
      break;
    case 'mend':
      if (!process.isCut) return;
      process.isCut = false;
      break;
    case 'sever':
      process.sever();
      break;
    case 'usurp':
      world.usurp(step.worker);
      break;
    case 'leave':
      world.leave(step.worker);
      break;
    case 'fault': {
      const { call, how, ms } = step;
      process.faults.push({ call, how, ms });
      return;
    }
    default:
      return;
  }
  world.noteFault(step.verb);
}
