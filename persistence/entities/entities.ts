import { ActorEntity } from './actor.ts';
import { AnswerEntity } from './answer.ts';
import { ArtifactEntity } from './artifact.ts';
import { AssertionEntity } from './assertion.ts';
import { ConversationEntity } from './conversation.ts';
import { DeadLetterEntity } from './dead-letter.ts';
import { EffectEntity } from './effect.ts';
import { EvidenceEntity } from './evidence.ts';
import { FenceEntity } from './fence.ts';
import { LedgerAccountEntity } from './ledger-account.ts';
import { LedgerEntryEntity } from './ledger-entry.ts';
import { RoleRunEntity } from './role-run.ts';
import { LibraryFileEntity } from './library-file.ts';
import { LibraryPostingEntity } from './library-posting.ts';
import { LibraryRootEntity } from './library-root.ts';
import { MailboxEntity } from './mailbox.ts';
import { MessageEntity } from './message.ts';
import { MessageRevisionEntity } from './message-revision.ts';
import { OperationEntity } from './operation.ts';
import { OperatorActionEntity } from './operator-action.ts';
import { QuarantineEntity } from './quarantine.ts';
import { SearchCallEntity } from './search-call.ts';
import { ShardLeaseEntity } from './shard-lease.ts';
import { SourceRevisionEntity } from './source-revision.ts';
import { StreamEventEntity } from './stream-event.ts';
import { TaskEntity } from './task.ts';
import { TaskSourceEntity } from './task-source.ts';
import { TimerEntity } from './timer.ts';
import { TransitionLogEntity } from './transition-log.ts';
import { TurnEntity } from './turn.ts';
import { ViewerFrameEntity } from './viewer-frame.ts';
import { ViewerSessionEntity } from './viewer-session.ts';
import { ViewerTicketEntity } from './viewer-ticket.ts';
import { WorkItemEntity } from './work-item.ts';
import { WorkerEntity } from './worker.ts';

/** Every table the ORM knows. A test compares them with what the migrations made. */
export const entities = [
  ActorEntity,
  MailboxEntity,
  TransitionLogEntity,
  TimerEntity,
  EffectEntity,
  FenceEntity,
  ShardLeaseEntity,
  WorkerEntity,
  StreamEventEntity,
  QuarantineEntity,
  DeadLetterEntity,
  OperatorActionEntity,
  ConversationEntity,
  MessageEntity,
  MessageRevisionEntity,
  TurnEntity,
  TaskEntity,
  AnswerEntity,
  WorkItemEntity,
  SearchCallEntity,
  SourceRevisionEntity,
  TaskSourceEntity,
  EvidenceEntity,
  AssertionEntity,
  ArtifactEntity,
  OperationEntity,
  LedgerEntryEntity,
  LedgerAccountEntity,
  RoleRunEntity,
  LibraryRootEntity,
  LibraryFileEntity,
  LibraryPostingEntity,
  ViewerSessionEntity,
  ViewerFrameEntity,
  ViewerTicketEntity,
];
