/** Names of what the machine uses: effects, guards, delays, and rules as actions. Its states and promises stand in machine.ts. */
import { assign, setup } from 'xstate';
import type { Failure } from '#contracts/errors.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import { ruleActions } from '#runtime/core/rule-actions.ts';
import type { TaskRequest } from '#contracts/actors/task.ts';
import type {
  CloseInput,
  Frozen,
  FreezeInput,
  Inherited,
  InheritInput,
  MailOf,
  Probed,
  ProbeInput,
  Surroundings,
  TaskMail,
  TaskState,
} from './contract.ts';
import type { Decision } from './decision.ts';
import * as drafting from './drafting.ts';
import { runningNodes } from './graph.ts';
import * as lifecycle from './lifecycle.ts';
import { followAccount } from './money.ts';
import * as progress from './progress.ts';

export const by = <Event>(rule: (state: TaskState, event: Event) => Decision) => ruleActions(rule);

export const adoptQuietly = by<MailOf<'work.finished'>>((state, event) =>
  progress.adoptFinished(state, event, 'quietly'),
);
export const stop = by(lifecycle.stopping);
export const note = by((state, event: object) => lifecycle.noteProblem(state, event, problemOf(event)));
export const account = { 'budget.changed': { actions: by(followAccount) } };
export const endAs = (status: lifecycle.Ending) => by((state, event: object) => lifecycle.end(state, event, status));

export type Done<Output> = { readonly output: Output };

export function problemOf(event: object): Failure {
  return 'failure' in event ? (event.failure as Failure) : failureOf(event);
}

export const taskSetup = setup({
  types: { context: {} as TaskState, input: {} as TaskRequest, events: {} as TaskMail },
  actors: {
    freezePlan: effectLogic<FreezeInput, Frozen>(),
    closeSessions: effectLogic<CloseInput, { closed: true }>(),
    lookAround: effectLogic<object, Surroundings>(),
    inheritResults: effectLogic<InheritInput, Inherited>(),
    probeTools: effectLogic<ProbeInput, Probed>(),
  },
  actions: { carryOut: requestAction, adopt: assign((_args, state: TaskState) => state) },
  guards: {
    startsByItself: ({ context }) => !drafting.needsConfirmation(context),
    mayStart: ({ context, event }) => drafting.namesThisPlan(context, event) && drafting.passesPreflight(context),
    namesThisPlan: ({ context, event }) => drafting.namesThisPlan(context, event),
    mustRepair: ({ context }) => drafting.mustRepair(context) && !drafting.cannotPlan(context),
    cannotPlan: ({ context }) => drafting.cannotPlan(context),
    isOpen: ({ context }) => drafting.isOpen(context),
    hasParent: ({ context }) => context.request.parent_task_id !== null && context.continues === null,
    leavesOpen: ({ context, event }) => !drafting.settlesAll(context, event),
    isRestated: ({ context }) => context.spec === null,
    isUnusable: ({ event }) => event.type === 'role.failed' && event.failure.code === 'model.response_invalid',
    misfits: ({ context, event }) => drafting.changeOf(context, event)?.ok === false,
    asksToCompile: ({ context, event }) => drafting.changeOf(context, event) === null,
    wantsProbe: ({ event }) => event.type === 'task.preflight' && event.level === 'authorized_probe',
    mayResume: ({ context, event }) => lifecycle.mayResume(context, (event as unknown as Done<Probed>).output),
    writerBroke: ({ context }) => progress.isWriterBroke(context),
    writerBusy: ({ context }) => progress.isWriterBusy(context),
    planDone: ({ context }) => progress.isPlanDone(context),
    answered: ({ context }) => context.answer !== null,
    covered: ({ context }) => progress.hasCoverage(context),
    citesSomething: ({ context }) => (context.answer?.citations.length ?? 0) > 0,
    fullyCovered: ({ context }) => progress.isCovered(context),
    alreadySealed: ({ context }) => context.artifacts.some(({ status }) => status === 'sealed'),
    isReport: ({ event }) => event.type === 'role.finished' && event.output.role === 'report_writer',
    nothingRuns: ({ context }) => runningNodes(context).length === 0,
  },
  delays: {
    runLimit: ({ context }) => context.spec?.execution.max_duration_ms ?? 900_000,
    pauseLimit: 60_000,
    stopLimit: 20_000,
  },
});
