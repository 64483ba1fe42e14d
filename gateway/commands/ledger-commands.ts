import { LEDGER_ADDRESS, type LedgerMail } from '#contracts/actors/ledger.ts';
import { CREATE_ONLY } from '#contracts/envelope.ts';
import type { SetProjectCap } from '#contracts/http/ledger.ts';
import { DEFAULT_ASK_TIMEOUT_MS, type GatewayDependencies } from '../dependencies.ts';
import { hashOf } from '../derived-ids.ts';
import { assertHandled } from './outcome.ts';

/** The ledger of a project comes with its first message. */
export async function setProjectCap(
  { client, askTimeoutMs = DEFAULT_ASK_TIMEOUT_MS }: GatewayDependencies,
  project: string,
  { request_id, cap }: SetProjectCap,
): Promise<void> {
  const to = { project, to: LEDGER_ADDRESS, from: 'http' } as const;
  const birth = { ...to, messageId: 'http:ledger', event: { type: CREATE_ONLY }, create: { input: {} } };
  await client.ask(birth, askTimeoutMs);
  const event: LedgerMail = { type: 'ledger.set_project', cap, by: 'http' };
  const consumed = await client.ask(
    { ...to, messageId: `http:ledger:${request_id}`, event, contentHash: hashOf([JSON.stringify(cap)]) },
    askTimeoutMs,
  );
  assertHandled(consumed, () => 'open');
}
