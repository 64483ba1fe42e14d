import { LedgerMail } from '#contracts/actors/ledger.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { LedgerInput, LedgerState } from './contract.ts';
import { ledgerMachine } from './machine.ts';
import { released } from './released.ts';
import { viewLedger } from './view.ts';

export const ledgerActor = defineActor({
  kind: 'ledger',
  version: 1,
  released,
  machine: ledgerMachine,
  input: LedgerInput,
  context: LedgerState,
  events: LedgerMail,
  effects: {},
  view: ({ context }) => viewLedger(context),
});
