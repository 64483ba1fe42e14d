// Read models
//
// What the gateway and effects see of committed rows, written once over the DomainRows port.
// Owns:     the translation from rows to views.
// Owns not: the rows (actors write them), how they are selected (stores/, memory/).
//
//   RM1  A source revision is stored once, comes back exactly, and is found again by address, parser version and time.
//   RM2  Evidence, sources and the answer are found by their task; of an assertion only its latest revision.
//   RM3  An operation shows a result or a problem only when it has one.

import type {
  ArtifactReads,
  ConversationReads,
  LedgerReads,
  OperationReads,
  ResearchReads,
  ResearchWrites,
  TaskReads,
} from '#contracts/ports/reads.ts';
import { artifactReads, operationReads } from './artifact-reads.ts';
import { conversationReads } from './conversation-reads.ts';
import type { DomainRows } from './domain-rows.ts';
import { ledgerReads } from './ledger-reads.ts';
import { researchReads, researchWrites } from './research-reads.ts';
import { taskReads } from './task-reads.ts';

export type ReadModels = {
  readonly conversations: ConversationReads;
  readonly tasks: TaskReads;
  readonly research: ResearchReads;
  readonly artifacts: ArtifactReads;
  readonly operations: OperationReads;
  readonly ledger: LedgerReads;
  readonly researchWrites: ResearchWrites;
};

export function createReadModels(rows: DomainRows): ReadModels {
  return {
    conversations: conversationReads(rows),
    tasks: taskReads(rows),
    research: researchReads(rows),
    artifacts: artifactReads(rows),
    operations: operationReads(rows),
    ledger: ledgerReads(rows),
    researchWrites: researchWrites(rows),
  };
}
