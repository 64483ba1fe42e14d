import type { RoleName, RoleNote, RoleOutput, RoleTask, RoleVersions } from '#contracts/actors/role.ts';
import type { Language } from '#contracts/ids.ts';
import type { Assertion, Evidence } from '#contracts/research/evidence.ts';
import type { SourceRevision } from '#contracts/research/source.ts';

export type RoleTaskOf<Role extends RoleName> = Extract<RoleTask, { role: Role }>;
export type RoleOutputOf<Role extends RoleName> = Extract<RoleOutput, { role: Role }>;

/** Stored artifacts a role may look at. It gets exactly what its definition asks for, by id, never a connection. */
export type Materials = {
  readonly sources: readonly SourceRevision[];
  readonly evidence: readonly Evidence[];
  readonly assertions: readonly Assertion[];
  /** What earlier runs of the task proposed and checks refused. */
  readonly notes?: readonly RoleNote[];
};

export type MaterialRequest = { readonly sourceRevisionIds: readonly string[]; readonly evidenceOfTask: boolean };

/**
 * One of the eight roles as data. The machine is the same for all; a role differs in what it may see, use and answer.
 * `propose` is the extractive engine: deterministic, synchronous, no model. It proposes; checks and commits belong to others.
 */
export type RoleDefinition<Role extends RoleName> = {
  readonly role: Role;
  readonly versions: RoleVersions;
  /** Names of tools the role may ask for; in extractive mode nobody calls tools, the list still bounds what a run may do. */
  readonly tools: readonly string[];
  readonly materials: (task: RoleTaskOf<Role>) => MaterialRequest;
  readonly propose: (task: RoleTaskOf<Role>, materials: Materials, language: Language) => RoleOutputOf<Role>;
};

export const NO_MATERIALS: MaterialRequest = { sourceRevisionIds: [], evidenceOfTask: false };

export function extractiveVersions(role: RoleName, rules: number): RoleVersions {
  return {
    contract: 'role-task/1',
    prompt: `extractive/${role}/${rules}`,
    model_profile: 'none',
    tool_policy: `${role}/1`,
    output_schema: `role-output/${role}/1`,
  };
}
