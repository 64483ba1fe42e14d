import type {
  ArtifactReads,
  ConversationReads,
  OperationReads,
  ResearchReads,
  ResearchWrites,
  TaskReads,
} from '#contracts/ports/reads.ts';
import { artifactReads, operationReads } from './artifact-reads.ts';
import { conversationReads } from './conversation-reads.ts';
import type { DomainRows } from './domain-rows.ts';
import { researchReads, researchWrites } from './research-reads.ts';
import { taskReads } from './task-reads.ts';

export type ReadModels = {
  readonly conversations: ConversationReads;
  readonly tasks: TaskReads;
  readonly research: ResearchReads;
  readonly artifacts: ArtifactReads;
  readonly operations: OperationReads;
  readonly researchWrites: ResearchWrites;
};

export function createReadModels(rows: DomainRows): ReadModels {
  return {
    conversations: conversationReads(rows),
    tasks: taskReads(rows),
    research: researchReads(rows),
    artifacts: artifactReads(rows),
    operations: operationReads(rows),
    researchWrites: researchWrites(rows),
  };
}
