import * as z from 'zod';

/**
 * Ids are opaque strings: a short prefix that tells the noun, `_`, and 8–80 characters of `[A-Za-z0-9_-]`.
 * Nobody parses them; the pattern exists so that an id can stand in a URL, a subject or a file name unescaped.
 */
const opaqueId = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[A-Za-z0-9_-]{8,80}$`));

export const ProjectId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);
export const ConversationId = opaqueId('cnv');
export const MessageId = opaqueId('msg');
export const MessageRevisionId = opaqueId('mrv');
export const TurnId = opaqueId('trn');
export const TaskId = opaqueId('tsk');
export const RunId = opaqueId('run');
export const WorkItemId = opaqueId('wrk');
export const RoleRunId = opaqueId('rol');
export const SessionId = opaqueId('ses');
export const SourceRevisionId = opaqueId('srv');
export const EvidenceId = opaqueId('evd');
export const AssertionId = opaqueId('asr');
export const ArtifactId = opaqueId('art');
export const OperationId = opaqueId('opr');

/** Counters, sequence numbers and minor-unit amounts cross JSON as decimal strings (they may exceed 2^53). */
export const DecimalString = z.string().regex(/^(0|[1-9][0-9]{0,18})$/);

/** RFC 3339, UTC, with `Z`. */
export const Timestamp = z.iso.datetime({ offset: false });

/** Lower-case hexadecimal SHA-256. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** BCP 47 language the product writes in. */
export const Language = z.enum(['zh-CN', 'en']);
export type Language = z.infer<typeof Language>;

/** The part behind the prefix. Ids of what belongs to something are built on it, so that a repeated step names the same thing. */
export const suffixOf = (id: string): string => id.slice(id.indexOf('_') + 1);
