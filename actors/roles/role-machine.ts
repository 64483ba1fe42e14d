// Role run
//
// One proposal by one role: asked once, answered once.
// Owns:     the five pinned versions, the single proposal effect, the answer to whoever asked.
// Owns not: what happens with the answer, the artifacts it read, money.
//
//   RR1  A role run sends exactly one report, `role.finished` or `role.failed`, and is then done.
//   RR2  The output is checked against the role's schema before anybody sees it.

import { setup } from 'xstate';
import type { RoleOutput, RoleRunInput, RoleTask } from '#contracts/actors/role.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import type { Language } from '#contracts/ids.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import { send } from '#runtime/core/requests.ts';
import { roleDefinitions } from './role-catalogue.ts';
import type { RoleRunContext } from './role-contract.ts';

export type ProposeInput = { readonly task_id: string; readonly language: Language; readonly ask: RoleTask };

export const roleRunMachine = setup({
  types: {
    context: {} as RoleRunContext,
    input: {} as RoleRunInput,
    events: {} as { type: 'child.fenced'; address: string },
  },
  actors: { propose: effectLogic<ProposeInput, RoleOutput>() },
  actions: { report: requestAction },
}).createMachine({
  id: 'role-run',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, versions: roleDefinitions[input.ask.role].versions }),
  initial: 'proposing',
  states: {
    proposing: {
      invoke: {
        id: 'proposal',
        src: 'propose',
        input: ({ context }) => ({ task_id: context.task_id, language: context.language, ask: context.ask }),
        onDone: {
          target: 'finished',
          actions: {
            type: 'report',
            params: ({ context, event }) => [
              send(context.reply_to as ActorAddress, {
                type: 'role.finished',
                role_run_id: context.role_run_id,
                output: event.output,
              }),
            ],
          },
        },
        onError: {
          target: 'failed',
          actions: {
            type: 'report',
            params: ({ context, event }) => [
              send(context.reply_to as ActorAddress, {
                type: 'role.failed',
                role_run_id: context.role_run_id,
                failure: failureOf(event),
              }),
            ],
          },
        },
      },
    },
    finished: { type: 'final' },
    failed: { type: 'final' },
  },
});
