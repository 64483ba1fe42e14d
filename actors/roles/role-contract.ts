import * as z from 'zod';
import { PaidReport } from '#contracts/actors/paid-call.ts';
import { RoleNote, RoleRunInput, RoleRunRecord, RoleVersions } from '#contracts/actors/role.ts';
import type { RoleOutput, RoleTask } from '#contracts/actors/role.ts';
import type { ResourceLimits } from '#contracts/actors/limiter.ts';
import type { Language } from '#contracts/ids.ts';
import type { Engine } from '#contracts/research/engine.ts';
import { ModelCost } from '#contracts/research/model-cost.ts';
import type { ModelRequest } from '#contracts/research/model.ts';
import type { PackRecord } from './role-packing.ts';

export const RoleRunContext = RoleRunInput.extend({
  /** What the run was made with; before that is known, what the extractive engine would be. */
  versions: RoleVersions,
  /** Calls so far; numbers their ids. */
  calls: z.int().nonnegative(),
  pack: RoleRunRecord.shape.pack,
  /** The last answer while it is being judged, or why there was none to judge. */
  answer: z.object({ value: z.json(), text: z.string() }).nullable(),
  problem: z.string().nullable(),
  costs: z.array(ModelCost.nullable()),
  notes: z.array(RoleNote),
});
export type RoleRunContext = z.infer<typeof RoleRunContext>;

/** A role run takes no mail but the answers to its own paid calls. */
export const RoleRunEvent = z.union([PaidReport, z.object({ type: z.literal('child.fenced'), address: z.string() })]);
export type RoleRunEvent = z.infer<typeof RoleRunEvent>;

export type Fence = { readonly scope: string; readonly generation: number };

export type PrepareInput = {
  readonly role_run_id: string;
  readonly task_id: string;
  readonly language: Language;
  readonly ask: RoleTask;
  readonly engine: Engine | null;
  readonly memory: readonly string[];
};

/** One call as it is ordered; the request itself goes to the paid call and is kept nowhere else. */
export type CallOrder = {
  readonly profile: string;
  readonly profile_version: string;
  readonly request: ModelRequest;
  readonly timeout_ms: number;
  readonly limits: ResourceLimits;
  readonly reserve: {
    readonly what: string;
    readonly currency: string | null;
    readonly max_minor: string | null;
    readonly price_version: string | null;
  };
  readonly fence: Fence | null;
};

type Made = { readonly engine: Engine; readonly versions: RoleVersions };
export type Prepared =
  | (Made & { readonly kind: 'proposed'; readonly output: RoleOutput })
  | (Made & { readonly kind: 'call'; readonly order: CallOrder; readonly pack: PackRecord });

export type CheckInput = Omit<PrepareInput, 'engine'> & {
  readonly engine: Engine;
  readonly calls: number;
  readonly pack: PackRecord;
  readonly answer: RoleRunContext['answer'];
  readonly problem: string | null;
};

export type Checked =
  | { readonly kind: 'accepted'; readonly output: RoleOutput; readonly notes: readonly RoleNote[] }
  | {
      readonly kind: 'repair';
      readonly order: CallOrder;
      readonly pack: PackRecord;
      readonly notes: readonly RoleNote[];
    };
