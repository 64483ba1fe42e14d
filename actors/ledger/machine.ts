// Ledger
//
// The money of one project: reserved before a call is sent, settled after it.
// Owns:     one account for each task, holds, what was settled, the limit of the project; `ledger_entry` rows.
// Owns not: what a call is and costs (paid call, provider), what a task does when its money is short (task).
//
//   LG1  No reservation lifts reserved and spent money above a cap: of the task, of the role in it, of the project (BU-01, T29).
//   LG2  A second message about the same reservation changes nothing: it is granted once, settled once, let go once.
//   LG3  An account has one currency. Another one is never converted and never added; a charge in it stays unknown (TS-04).
//   LG4  An unknown price is refused, or holds the upper bound that was approved. It is never nothing.
//   LG5  What was sent and is not known in full keeps its hold; what is certain of it counts as spent (TK-06).
//   LG6  New work may not use what is kept for the write-up; the write-up may use all of the cap (T30).
//   LG7  After the end of a task nothing new is reserved, calls in flight are cancelled, and late costs are still settled (TK-05).
//   LG8  A call that cost more than was held is booked in full: a limit stops what comes, it does not hide what was.
//   LG11  What was spent without a reservation is booked once and in full, for a task without an account and after its end too (WS-07).
//   LG9  Every change is an entry, numbered without gaps, in the commit that makes it true; the task hears each one with its totals.
//   LG10  However many tasks and calls there were, the state fits into a row; sums never forget.

import { assign, setup } from 'xstate';
import type { LedgerMail } from '#contracts/actors/ledger.ts';
import { requestAction } from '#runtime/core/authoring.ts';
import { ruleActions } from '#runtime/core/rule-actions.ts';
import type { LedgerState } from './contract.ts';
import type { Posting } from './posting.ts';
import {
  adjust,
  closeTask,
  markUnknown,
  newLedger,
  openTask,
  record,
  release,
  reserve,
  setProject,
  settle,
} from './rules.ts';

const by = <Event>(rule: (state: LedgerState, event: Event) => Posting) => ({ actions: ruleActions(rule) });

export const ledgerMachine = setup({
  types: { context: {} as LedgerState, input: {} as object, events: {} as LedgerMail },
  actions: { carryOut: requestAction, adopt: assign((_args, state: LedgerState) => state) },
}).createMachine({
  id: 'ledger',
  options: { maxIterations: 100 },
  context: newLedger,
  initial: 'open',
  states: {
    open: {
      on: {
        'ledger.open_task': by(openTask),
        'ledger.reserve': by(reserve),
        'ledger.settle': by(settle),
        'ledger.record': by(record),
        'ledger.release': by(release),
        'ledger.unknown': by(markUnknown),
        'ledger.adjust': by(adjust),
        'ledger.close_task': by(closeTask),
        'ledger.set_project': by(setProject),
      },
    },
  },
});
