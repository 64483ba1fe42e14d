import * as z from 'zod';
import { RoleRunInput, RoleVersions } from '#contracts/actors/role.ts';

export const RoleRunContext = RoleRunInput.extend({ versions: RoleVersions });
export type RoleRunContext = z.infer<typeof RoleRunContext>;

/** A role run takes no mail: it asks once, answers once and is done. */
export const RoleRunEvent = z.object({ type: z.literal('child.fenced'), address: z.string() });
