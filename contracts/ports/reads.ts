import type { ConversationView, MessageView } from '../actors/conversation.ts';
import type { RoleRunRecord } from '../actors/role.ts';
import type { TaskView } from '../actors/task.ts';
import type { LedgerAccount, ProjectCap } from '../http/ledger.ts';
import type { ArtifactView } from '../http/research.ts';
import type { OperationView } from '../http/tasks.ts';
import type { Answer } from '../research/answer.ts';
import type { Assertion, Evidence } from '../research/evidence.ts';
import type { LedgerEntry } from '../research/ledger-entry.ts';
import type { SourceRevision } from '../research/source.ts';

/** Committed rows as the gateway, effects and scripts read them. Everything is inside one project; another project's row is simply not there. */

export interface ConversationReads {
  list(project: string, limit: number): Promise<readonly ConversationView[]>;
  find(project: string, conversationId: string): Promise<ConversationView | null>;
  /** In conversation order, latest revision of each message. */
  messages(project: string, conversationId: string): Promise<readonly MessageView[]>;
}

export interface TaskReads {
  list(
    project: string,
    filter: { status?: string; conversationId?: string; limit: number },
  ): Promise<readonly TaskView[]>;
  find(project: string, taskId: string): Promise<TaskView | null>;
}

export interface ResearchReads {
  sourceRevision(project: string, sourceRevisionId: string): Promise<SourceRevision | null>;
  /** A revision of this URL read not longer ago than `maxAgeMs` by the same parser version, for reuse; keeps its own retrieved_time. */
  recentRevision(
    project: string,
    url: string,
    parserVersion: string,
    notBefore: string,
  ): Promise<SourceRevision | null>;
  evidence(project: string, evidenceId: string): Promise<Evidence | null>;
  evidenceOfSource(project: string, sourceRevisionId: string): Promise<readonly Evidence[]>;
  evidenceOfTask(project: string, taskId: string): Promise<readonly Evidence[]>;
  assertionsOfTask(project: string, taskId: string): Promise<readonly Assertion[]>;
  sourcesOfTask(project: string, taskId: string): Promise<readonly SourceRevision[]>;
  answerOfTask(project: string, taskId: string): Promise<Answer | null>;
  /** Ended role runs of the task in the order of their ends: versions, what was shown, what was refused and why. */
  roleRunsOfTask(project: string, taskId: string): Promise<readonly RoleRunRecord[]>;
}

export interface LedgerReads {
  account(project: string, taskId: string): Promise<LedgerAccount | null>;
  /** Those that changed last come first. */
  accounts(project: string, limit: number): Promise<readonly LedgerAccount[]>;
  /** In order. */
  entriesOfTask(project: string, taskId: string): Promise<readonly LedgerEntry[]>;
  /** Newest first. */
  entries(project: string, limit: number): Promise<readonly LedgerEntry[]>;
  projectCap(project: string): Promise<ProjectCap | null>;
}

export interface ArtifactReads {
  find(project: string, artifactId: string): Promise<ArtifactView | null>;
  list(project: string, limit: number): Promise<readonly ArtifactView[]>;
}

export interface OperationReads {
  find(project: string, operationId: string): Promise<OperationView | null>;
}

/** Rows that hold bulky, content-addressed or append-only facts are written by effects before the transition that refers to them. */
export interface ResearchWrites {
  /** Idempotent by id. A revision nobody refers to is harmless: it is evidence of a reading, not of a result. */
  storeSourceRevision(project: string, revision: SourceRevision): Promise<void>;
}
