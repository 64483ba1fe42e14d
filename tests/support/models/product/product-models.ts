import { failure } from '#contracts/errors.ts';
import { artifactActor } from '#actors/artifact/actor.ts';
import { browserContextActor } from '#actors/browser-context/actor.ts';
import type { BrowserContextState } from '#actors/browser-context/contract.ts';
import { defineModel, type ActorModel } from '../actor-model.ts';
import { conversationModel } from './conversation-model.ts';
import { HASH, QUESTION, SOURCE, TIME, URL_OF_PAGE } from './research-fixtures.ts';
import { ledgerModel } from './ledger-model.ts';
import { limiterModel, paidCallModel } from './paid-call-models.ts';
import { roleRunModel } from './role-run-model.ts';
import { taskModel } from './task-model.ts';
import { workItemModel } from './work-item-model.ts';

const observation = {
  observation_id: 'obs_1',
  document_generation: 'g1',
  final_url: URL_OF_PAGE,
  title: 'A',
  http_status: 200,
  content_type: 'text/html',
};
const page = {
  source_revision_id: SOURCE,
  final_url: URL_OF_PAGE,
  title: 'A',
  language: 'en',
  page_kind: 'article',
  characters: 10,
  blocked: null,
};

const browserContextModel = defineModel<BrowserContextState>({
  definition: browserContextActor,
  scenarios: [
    {
      name: 'a page',
      input: { session_id: 'ses_model', task_id: 'tsk_modeltask', owner: 'work-item/wrk_model', locale: 'en' },
    },
  ],
  mail: {
    'context.navigate': () => [{ type: 'context.navigate', action_id: 'act_go', url: URL_OF_PAGE }],
    'context.read': () => [{ type: 'context.read', action_id: 'act_read' }],
    'context.close': () => [{ type: 'context.close' }],
  },
  outputs: {
    open: () => [{ opened: true }],
    navigation: () => [{ observation }],
    reading: () => [{ page }],
    close: () => [{ closed: true }],
  },
  failures: [failure('browser.crashed', 'gone'), failure('browser.not_dispatched', 'too late')],
  interrupts: ['context.close'],
  keyOf: ({ observation: seen, action }) => [seen !== null, action?.kind ?? null],
});

const artifactModel = defineModel({
  definition: artifactActor,
  scenarios: [
    {
      name: 'a report',
      input: {
        artifact_id: 'art_model-1',
        task_id: 'tsk_modeltask',
        reply_to: 'task/tsk_modeltask',
        title: 'Tower',
        question: QUESTION,
        language: 'en',
        plan_hash: HASH,
        task_status: 'completed',
        created_time: TIME,
      },
    },
  ],
  outputs: {
    seal: () => [
      {
        manifest_sha256: HASH,
        files: [{ name: 'report.md', media_type: 'text/markdown', sha256: HASH, bytes: 3 }],
        sealed_time: TIME,
      },
    ],
  },
});

/** One for every kind of the catalogue. */
export const productModels: readonly ActorModel[] = [
  conversationModel,
  taskModel,
  workItemModel,
  roleRunModel,
  browserContextModel,
  artifactModel,
  ledgerModel,
  limiterModel,
  paidCallModel,
];
