import type { ActorStore, BackwardPage, OperatorAction, StoredOperatorAction } from '#contracts/ports/actor-store.ts';
import { copy, findCell, type ActorTables, type SetAsideRow } from './actor-tables.ts';

type Methods = Pick<
  ActorStore,
  'listSetAside' | 'findSetAside' | 'recordOperatorAction' | 'findOperatorAction' | 'listOperatorActions'
>;

export function operatorMethods(tables: ActorTables, nowMs: () => number): Methods {
  const rowsOf = (project: string, kind: 'quarantine' | 'dead_letter') =>
    (kind === 'quarantine' ? tables.quarantine : tables.deadLetters).filter((row) => row.project === project);
  return {
    listSetAside: (project, kind, page) =>
      Promise.resolve(copy(newestFirst(rowsOf(project, kind), page).map(storedSetAside))),
    findSetAside: (project, kind, id) => {
      const row = rowsOf(project, kind).find((candidate) => candidate.id === id);
      return Promise.resolve(row === undefined ? null : copy(storedSetAside(row)));
    },
    recordOperatorAction: (action) => {
      const { operatorActions } = tables;
      const known = operatorActions.find((row) => row.project === action.project && row.requestId === action.requestId);
      if (known !== undefined) return Promise.resolve(isSame(known, action) ? 'repeated' : 'conflict');
      operatorActions.push({ ...action, id: operatorActions.length + 1, atMs: nowMs() });
      return Promise.resolve('recorded');
    },
    findOperatorAction: (project, requestId) => {
      const row = tables.operatorActions.find((one) => one.project === project && one.requestId === requestId);
      return Promise.resolve(row === undefined ? null : { ...row, outcome: outcomeOf(tables, row) });
    },
    listOperatorActions: (project, { letterIds, ...page }) => {
      const rows = tables.operatorActions
        .filter((row) => row.project === project)
        .filter(({ letterId }) => letterIds === undefined || (letterId !== null && letterIds.includes(letterId)));
      return Promise.resolve(newestFirst(rows, page).map((row) => ({ ...row, outcome: outcomeOf(tables, row) })));
    },
  };
}

function isSame(known: OperatorAction, action: OperatorAction): boolean {
  return known.messageId === action.messageId && known.address === action.address;
}

function outcomeOf(tables: ActorTables, { project, address, messageId }: OperatorAction) {
  const cell = findCell(tables, project, address);
  const consumed: StoredOperatorAction['outcome'] = cell?.consumed.get(messageId)?.outcome ?? null;
  return consumed ?? (cell?.setAside.has(messageId) === true ? 'poisoned' : null);
}

function newestFirst<Row extends { readonly id: number; readonly address: string }>(
  rows: readonly Row[],
  { address, beforeId, limit }: BackwardPage,
): Row[] {
  return rows
    .filter((row) => address === undefined || row.address === address)
    .filter((row) => beforeId === undefined || row.id < beforeId)
    .toSorted((a, b) => b.id - a.id)
    .slice(0, limit);
}

function storedSetAside({ id, address, messageId, envelope, reason, atMs }: SetAsideRow) {
  return { id, address, messageId, envelope, reason, atMs };
}
