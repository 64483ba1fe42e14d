import type * as z from 'zod';
import type { RoleName, RoleNote, RoleOutput, RoleTask } from '#contracts/actors/role.ts';
import type { Language } from '#contracts/ids.ts';
import type { Json } from '#contracts/json.ts';
import type { ReasoningLevel } from '#contracts/research/model.ts';
import type { MaterialRequest, Materials, RoleOutputOf, RoleTaskOf } from './role-definition.ts';
import type { PackItem } from './role-packing.ts';

/** What a model is told: our own words as JSON, and what strangers wrote as items. */
export type Brief = { readonly payload: { readonly [key: string]: Json }; readonly items: readonly PackItem[] };

/** What an answer is judged against. `shown`: key → id of what the model was shown; any other key names nothing. */
export type Given<Role extends RoleName> = {
  readonly task: RoleTaskOf<Role>;
  readonly materials: Materials;
  readonly language: Language;
  readonly shown: ReadonlyMap<string, string>;
  /** The last time that it can be asked: what can be made of the answer is made of it. */
  readonly isLast: boolean;
  /** What the extractive engine proposes for the same. */
  readonly extractive: () => RoleOutputOf<Role>;
};

export type Judged<Output> =
  | { readonly kind: 'accepted'; readonly output: Output; readonly notes: readonly RoleNote[] }
  /** Of the wrong form as a whole; it may be asked for again, with these words. */
  | { readonly kind: 'unusable'; readonly problems: readonly string[] };

/**
 * How a role is played by a model. The model only proposes: `judge` lets through what the role's powers and the material carry
 * (RO-03, RO-04), and gives a reason for everything else. It is pure, and the same for whatever model answered.
 */
export type ModelPart<Role extends RoleName, Schema extends z.ZodType> = {
  readonly role: Role;
  readonly schema: Schema;
  readonly schemaVersion: number;
  readonly reasoning: ReasoningLevel;
  readonly maxOutputTokens: number;
  /** False where nothing is left to decide, so that no call is spent on it. */
  readonly asks: (task: RoleTaskOf<Role>, materials: Materials) => boolean;
  /** Absent: the same as the extractive engine. */
  readonly materials?: (task: RoleTaskOf<Role>) => MaterialRequest;
  readonly brief: (task: RoleTaskOf<Role>, materials: Materials, language: Language) => Brief;
  readonly judge: (answer: z.infer<Schema>, given: Given<Role>) => Judged<RoleOutputOf<Role>>;
};

/** The same without its types, for the machine, which treats all roles alike. */
export type AnyModelPart = {
  readonly role: RoleName;
  readonly schema: z.ZodType;
  readonly schemaVersion: number;
  readonly reasoning: ReasoningLevel;
  readonly maxOutputTokens: number;
  readonly asks: (task: RoleTask, materials: Materials) => boolean;
  readonly materials: ((task: RoleTask) => MaterialRequest) | null;
  readonly brief: (task: RoleTask, materials: Materials, language: Language) => Brief;
  readonly judge: (
    answer: unknown,
    given: Omit<Given<RoleName>, 'task' | 'extractive'> & { task: RoleTask; extractive: () => RoleOutput },
  ) => Judged<RoleOutput>;
};

/** The catalogue pairs each part with tasks of its own role only. */
export function modelPart<Role extends RoleName, Schema extends z.ZodType>(
  part: ModelPart<Role, Schema>,
): AnyModelPart {
  const { materials } = part;
  return {
    ...part,
    asks: (task, found) => part.asks(task as RoleTaskOf<Role>, found),
    materials: materials === undefined ? null : (task) => materials(task as RoleTaskOf<Role>),
    brief: (task, found, language) => part.brief(task as RoleTaskOf<Role>, found, language),
    judge: (answer, given) =>
      part.judge(answer as z.infer<Schema>, {
        ...given,
        task: given.task as RoleTaskOf<Role>,
        extractive: () => given.extractive() as RoleOutputOf<Role>,
      }),
  };
}

const MAX_NOTE = 300;

/** One thing that did not pass, in words that fit. */
export function note(what: string, reason: string): RoleNote {
  return { what: cut(what.replace(/\s+/gu, ' ').trim()), reason: cut(reason) };
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_NOTE / 2 ? text : `${characters.slice(0, MAX_NOTE / 2 - 1).join('')}…`;
}
