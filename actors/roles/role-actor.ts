import { RoleRunInput } from '#contracts/actors/role.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { RoleRunContext, RoleRunEvent } from './role-contract.ts';
import { roleEffects } from './role-effects.ts';
import { roleRunMachine } from './role-machine.ts';
import { released } from './role-released.ts';
import { upgradeRoleRun } from './role-upgrade.ts';

export const roleRunActor = defineActor({
  kind: 'role-run',
  version: 2,
  released,
  upgrade: upgradeRoleRun,
  machine: roleRunMachine,
  input: RoleRunInput,
  context: RoleRunContext,
  events: RoleRunEvent,
  effects: roleEffects,
  view: ({ context }) => ({
    role: context.ask.role,
    task_id: context.task_id,
    engine: context.engine ?? null,
    versions: context.versions,
    calls: context.calls,
  }),
});
