import { createHash } from 'node:crypto';
import { canonicalJson } from '#contracts/canonical-json.ts';
import { fail } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import { TaskSpec } from '#contracts/research/task-spec.ts';
import { defineEffect } from '#runtime/core/authoring.ts';
import type { CloseInput, Frozen, FreezeInput } from './contract.ts';

/** Sessions may be open in other processes; what closes them there is no concern of the task. */
export type TaskPorts = { readonly browser: Pick<BrowserPort, 'closeTask'> };

/** Raise when anything that decides how a contract is carried out changes: rules, templates, price tables. */
const RULES_VERSION = 'yunsou-plan/1';

export const taskEffects = {
  /** TS-05: SHA-256 over the canonical JSON of the contract, its version and the versions of the rules. */
  freezePlan: defineEffect<FreezeInput, Frozen, TaskPorts>({
    class: 'idempotent',
    timeoutMs: 10_000,
    run: (input) => {
      const spec = TaskSpec.safeParse(input.spec);
      if (!spec.success) return Promise.reject(new TypeError(spec.error.message));
      const frozen = { rules: RULES_VERSION, plan_version: input.plan_version, spec: spec.data, prices: [] };
      const plan_hash = createHash('sha256')
        .update(canonicalJson(frozen as Json))
        .digest('hex');
      return Promise.resolve({ plan_hash });
    },
  }),

  closeSessions: defineEffect<CloseInput, { closed: true }, TaskPorts>({
    class: 'idempotent',
    timeoutMs: 10_000,
    attempts: 2,
    run: async ({ task_id }, { ports, signal }) => {
      if (signal.aborted) fail('effect.aborted', 'closing was given up');
      await ports.browser.closeTask(task_id);
      return { closed: true };
    },
  }),
};
