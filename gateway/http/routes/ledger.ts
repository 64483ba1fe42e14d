import { LedgerDetail, LedgerQuery, SetProjectCap } from '#contracts/http/ledger.ts';
import { requireTask } from '../../commands/task-commands.ts';
import { setProjectCap } from '../../commands/ledger-commands.ts';
import { presentLedger } from '../../presenters/ledger.ts';
import { assertIdempotencyKey } from '../idempotency-key.ts';
import { defineRoute, type Gateway, type Route } from '../route.ts';

const ENTRIES = 200;
const ACCOUNTS = 1000;

const read = defineRoute({
  method: 'get',
  path: '/ledger',
  summary: 'What was reserved and spent: of one task with all its entries, or of the project with the latest',
  access: 'signed_in',
  query: LedgerQuery,
  answer: { status: 200, schema: LedgerDetail, description: 'Amounts in the smallest unit of their currency' },
  handle: async (gateway, { project, query }) =>
    query.task_id === undefined ? readProject(gateway, project) : readTask(gateway, project, query.task_id),
});

const limit = defineRoute({
  method: 'patch',
  path: '/ledger',
  summary: 'Set the limit of the whole project, or take it away',
  access: 'signed_in',
  body: SetProjectCap,
  answer: { status: 200, schema: LedgerDetail, description: 'As it is now' },
  handle: async (gateway, { project, body, ctx }) => {
    assertIdempotencyKey(ctx, body.request_id);
    await setProjectCap(gateway, project, body);
    return readProject(gateway, project);
  },
});

async function readProject({ reads }: Gateway, project: string) {
  const [cap, accounts, entries] = await Promise.all([
    reads.ledger.projectCap(project),
    reads.ledger.accounts(project, ACCOUNTS),
    reads.ledger.entries(project, ENTRIES),
  ]);
  return presentLedger(cap, accounts, entries);
}

/** A task that costs nothing has no account, which is no mistake. */
async function readTask(gateway: Gateway, project: string, taskId: string) {
  await requireTask(gateway, project, taskId);
  const { ledger } = gateway.reads;
  const [cap, account, entries] = await Promise.all([
    ledger.projectCap(project),
    ledger.account(project, taskId),
    ledger.entriesOfTask(project, taskId),
  ]);
  return presentLedger(cap, account === null ? [] : [account], entries);
}

export const ledgerRoutes: readonly Route[] = [read, limit];
