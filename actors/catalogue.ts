import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { artifactActor } from './artifact/actor.ts';
import type { ArtifactPorts } from './artifact/effects.ts';
import { browserContextActor } from './browser-context/actor.ts';
import type { BrowserContextPorts } from './browser-context/effects.ts';
import { conversationActor } from './conversation/actor.ts';
import { ledgerActor } from './ledger/actor.ts';
import { limiterActor } from './limiter/actor.ts';
import { paidCallActor } from './paid-call/actor.ts';
import type { PaidCallPorts } from './paid-call/effects.ts';
import { roleRunActor } from './roles/role-actor.ts';
import type { RolePorts } from './roles/role-effects.ts';
import { taskActor } from './task/actor.ts';
import type { TaskPorts } from './task/effects.ts';
import { workItemActor } from './work-item/actor.ts';
import type { WorkItemPorts } from './work-item/effects.ts';

/** Everything effects may touch; composed in runtime/main. */
export type ActorPorts = ArtifactPorts & BrowserContextPorts & PaidCallPorts & RolePorts & TaskPorts & WorkItemPorts;

/** Every kind of actor of the product. */
export const catalogue: readonly ActorDefinition[] = [
  conversationActor,
  taskActor,
  workItemActor,
  roleRunActor,
  browserContextActor,
  artifactActor,
  ledgerActor,
  limiterActor,
  paidCallActor,
];
