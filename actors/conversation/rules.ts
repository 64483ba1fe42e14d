import type { MessagePart, MessageView } from '#contracts/actors/conversation.ts';
import type { TaskRequest } from '#contracts/actors/task.ts';
import { suffixOf } from '#contracts/ids.ts';
import type { Citation } from '#contracts/research/answer.ts';
import type { Gap } from '#contracts/research/evidence.ts';
import { detectLanguage } from '#contracts/text/language.ts';
import type { ConversationInput, ConversationState, MailOf, SentMessage } from './contract.ts';
import { Decision } from './decision.ts';
import { decideIntent, type Intent } from './intent.ts';
import { draftTaskRow } from './task-row.ts';
import { conversationWords } from './words.ts';

/** How many of a person's latest messages can still be edited. */
const EDITABLE_MESSAGES = 50;

export function newConversation(input: ConversationInput): ConversationState {
  return {
    conversation_id: input.conversation_id,
    title: '',
    created_time: input.created_time,
    updated_time: input.created_time,
    hidden: false,
    event_seq: 0,
    sent: [],
    open: [],
    last_artifact: null,
  };
}

export function open(state: ConversationState): Decision {
  const decision = new Decision(state, state.created_time);
  return decision.publish({ type: 'conversation.created', data: { conversation_id: state.conversation_id } });
}

/** CH-03: message, revision, turn and the reply's watermark are one commit; only then does anything run. */
export function postMessage(state: ConversationState, event: MailOf<'conversation.message.post'>): Decision {
  const decision = new Decision(state, event.time);
  const intent = decideIntent(event.text, event.mode);
  const taskId = intent === 'task' ? `tsk_${suffixOf(event.turn_id)}` : null;
  const { client_message_id, message_id, message_revision_id, turn_id, text, mode } = event;
  const message = decision.post({
    message_id,
    message_revision_id,
    revision: 1,
    author: 'user',
    turn_id,
    client_message_id,
    text,
    mode,
    parts: [],
    task_id: taskId,
    created_time: event.time,
    edited: false,
  });
  const { text: _text, parts: _parts, author: _author, ...sent } = message;
  decision.set({ sent: [...decision.state.sent, sent].slice(-EDITABLE_MESSAGES) });
  if (state.title === '') rename(decision, titleOf(text));
  decision.write('turn', { id: turn_id, conversation_id: state.conversation_id, message_id, intent });
  answerTurn(decision, event, intent, taskId);
  return decision.reply({ message_id, message_revision_id, turn_id, conversation_seq: message.conversation_seq });
}

function answerTurn(
  decision: Decision,
  event: MailOf<'conversation.message.post'>,
  intent: Intent,
  taskId: string | null,
): void {
  const { state } = decision;
  const parts: MessagePart[] =
    taskId === null
      ? directParts(state, event, intent)
      : [{ kind: 'progress', part_id: `${taskId}-progress`, task_id: taskId }];
  const view = decision.post({
    message_id: `msg_${suffixOf(event.turn_id)}-a`,
    message_revision_id: `mrv_${suffixOf(event.turn_id)}-a-1`,
    revision: 1,
    author: 'assistant',
    turn_id: event.turn_id,
    client_message_id: null,
    text: '',
    mode: null,
    parts,
    task_id: taskId,
    created_time: event.time,
    edited: false,
  });
  if (taskId === null) return;
  decision.set({ open: [...decision.state.open, view] });
  const request: TaskRequest = {
    task_id: taskId,
    conversation_id: state.conversation_id,
    turn_id: event.turn_id,
    parent_task_id: null,
    text: event.text,
    mode: event.mode,
    auto_start: true,
    created_time: event.time,
  };
  decision.write('task', draftTaskRow(request)).spawn('task', taskId, request);
}

function directParts(
  state: ConversationState,
  event: MailOf<'conversation.message.post'>,
  intent: Intent,
): MessagePart[] {
  const words = conversationWords(detectLanguage(event.text) === 'zh-CN' ? 'zh-CN' : 'en');
  const text = (markdown: string): MessagePart => ({ kind: 'text', part_id: `${event.turn_id}-text`, markdown });
  if (intent === 'task') return [];
  if (intent !== 'open_result') return [text(words[intent])];
  if (state.last_artifact === null) return [text(words.no_result)];
  return [text(words.open_result), { kind: 'artifact', part_id: `${event.turn_id}-artifact`, ...state.last_artifact }];
}

/** CH-05: appends a revision; a running task keeps the revision it was compiled from. */
export function reviseMessage(state: ConversationState, event: MailOf<'conversation.message.revise'>): Decision {
  const decision = new Decision(state, event.time);
  const sent = state.sent.find((message) => message.message_id === event.message_id);
  if (sent === undefined) return decision;
  const revised: SentMessage = {
    ...sent,
    message_revision_id: event.message_revision_id,
    revision: sent.revision + 1,
    edited: true,
  };
  decision.set({ sent: state.sent.map((message) => (message.message_id === event.message_id ? revised : message)) });
  decision.change({ ...revised, author: 'user', text: event.text, parts: [] });
  return decision.reply({
    message_id: event.message_id,
    message_revision_id: event.message_revision_id,
    turn_id: sent.turn_id,
    conversation_seq: String(decision.state.event_seq),
  });
}

export function canRevise(state: ConversationState, event: MailOf<'conversation.message.revise'>): boolean {
  return state.sent.some(
    (message) => message.message_id === event.message_id && message.message_revision_id === event.base_revision_id,
  );
}

function rename(decision: Decision, title: string): void {
  decision.set({ title }).publish({ type: 'conversation.renamed', data: { title } });
}

export function renameConversation(state: ConversationState, event: MailOf<'conversation.rename'>): Decision {
  const decision = new Decision(state, '');
  rename(decision, event.title);
  return decision.reply({ title: event.title });
}

/** CH-09: hiding a conversation stops nothing. */
export function hideConversation(state: ConversationState, event: MailOf<'conversation.hide'>): Decision {
  const decision = new Decision(state, '').set({ hidden: event.hidden });
  return decision
    .publish({ type: 'conversation.hidden', data: { hidden: event.hidden } })
    .reply({ hidden: event.hidden });
}

/** The task ended: its message gets the answer, the citations and the artifact as parts of a new revision. */
export function endTurn(state: ConversationState, event: MailOf<'turn.task_ended'> & { at?: string }): Decision {
  const decision = new Decision(state, event.at ?? '');
  const message = state.open.find((candidate) => candidate.task_id === event.task_id);
  if (message === undefined) return decision;
  const revision = message.revision + 1;
  const view: MessageView = {
    ...message,
    revision,
    message_revision_id: `mrv_${suffixOf(message.turn_id)}-a-${revision}`,
    parts: [...message.parts, ...endingParts(event)],
  };
  decision.set({
    open: state.open.filter((candidate) => candidate.task_id !== event.task_id),
    ...(event.artifact === null ? {} : { last_artifact: event.artifact }),
  });
  return decision.change(view);
}

function endingParts(event: MailOf<'turn.task_ended'>): MessagePart[] {
  const { task_id, artifact } = event;
  const citations = event.citations as Citation[];
  const gaps = event.gaps as Gap[];
  return [
    { kind: 'text', part_id: `${task_id}-answer`, markdown: event.markdown },
    ...(citations.length === 0 && gaps.length === 0
      ? []
      : [{ kind: 'citation' as const, part_id: `${task_id}-citations`, task_id, citations, gaps }]),
    ...(artifact === null ? [] : [{ kind: 'artifact' as const, part_id: `${task_id}-artifact`, ...artifact }]),
  ];
}

function titleOf(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  return characters.length <= 60 ? characters.join('') : `${characters.slice(0, 59).join('')}…`;
}
