import type * as z from 'zod';
import { ConversationEvent, ConversationView, MessageView } from '#contracts/actors/conversation.ts';
import { TaskEvent } from '#contracts/actors/task.ts';
import {
  ChangeConversation,
  ConversationCreated,
  ConversationDetail,
  ConversationList,
  CreateConversation,
  MessageStored,
  PostMessage,
  ReviseMessage,
} from '#contracts/http/conversations.ts';
import {
  ActorDetail,
  ActorList,
  MachineGraph,
  MailList,
  OperatorActionList,
  OperatorActionView,
  OperatorCommandBody,
  ProjectLog,
  RedriveBody,
  SetAsideList,
  TransitionList,
} from '#contracts/http/actors.ts';
import { LedgerDetail, SetProjectCap } from '#contracts/http/ledger.ts';
import { ModelProbeView, ModelsView } from '#contracts/http/models.ts';
import { ApproveFolder, LibraryRootView, LibraryView } from '#contracts/http/library.ts';
import { ArtifactList, ArtifactView, EvidenceView, RoleRunList, SourceRevisionView } from '#contracts/http/research.ts';
import {
  BrowserSessionList,
  CreateViewerTicket,
  ExchangeViewerTicket,
  FrameList,
  ViewerGrantView,
  ViewerTicketView,
} from '#contracts/http/viewer.ts';
import { Health, Problem, Ready, SessionView, SignIn } from '#contracts/http/system.ts';
import {
  AnswerTask,
  CompilePlan,
  ContinueTask,
  CreateTask,
  OperationAccepted,
  OperationView,
  PreflightTask,
  StartTask,
  TaskCommandBody,
  TaskDetail,
  TaskList,
} from '#contracts/http/tasks.ts';

/** Schemas that have a name in the published contract. `io` is the side a client sees: what it sends or what it gets. */
export const NAMED_SCHEMAS: readonly {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly io: 'input' | 'output';
}[] = [
  ...sent({
    AnswerTask,
    ApproveFolder,
    ChangeConversation,
    CompilePlan,
    ContinueTask,
    CreateConversation,
    CreateTask,
    CreateViewerTicket,
    ExchangeViewerTicket,
    OperatorCommandBody,
    PostMessage,
    PreflightTask,
    RedriveBody,
    ReviseMessage,
    SetProjectCap,
    SignIn,
    StartTask,
    TaskCommandBody,
  }),
  ...answered({
    ActorDetail,
    ActorList,
    ArtifactList,
    ArtifactView,
    BrowserSessionList,
    ConversationCreated,
    ConversationDetail,
    ConversationEvent,
    ConversationList,
    ConversationView,
    EvidenceView,
    FrameList,
    Health,
    LedgerDetail,
    LibraryRootView,
    LibraryView,
    MachineGraph,
    MailList,
    MessageStored,
    MessageView,
    ModelProbeView,
    ModelsView,
    OperationAccepted,
    OperationView,
    OperatorActionList,
    OperatorActionView,
    Problem,
    ProjectLog,
    Ready,
    SessionView,
    SetAsideList,
    RoleRunList,
    SourceRevisionView,
    TaskDetail,
    TaskEvent,
    TaskList,
    TransitionList,
    ViewerGrantView,
    ViewerTicketView,
  }),
];

function sent(schemas: Readonly<Record<string, z.ZodType>>) {
  return Object.entries(schemas).map(([name, schema]) => ({ name, schema, io: 'input' as const }));
}

function answered(schemas: Readonly<Record<string, z.ZodType>>) {
  return Object.entries(schemas).map(([name, schema]) => ({ name, schema, io: 'output' as const }));
}
