import type { ActorStore, LogPlace, ProjectLogPlace, ProjectTransition } from '#contracts/ports/actor-store.ts';
import { untakenTransition } from '../untaken-mail.ts';
import { byPriorityThenId, copy, findCell, mailRow, type ActorTables, type StoredMail } from './actor-tables.ts';

type Readers = Pick<ActorStore, 'readTransitions' | 'readProjectLog' | 'readMail' | 'countMail'>;

/** The in-memory store as an inspector reads it. */
export function logReaders(tables: ActorTables): Readers {
  const mailOf = (project: string, address: string): StoredMail[] =>
    [...(findCell(tables, project, address)?.mail.values() ?? [])].sort(byPriorityThenId);
  return {
    readTransitions: (project, address, after, limit) => {
      const untaken = tables.deadLetters.filter(
        (letter) => letter.project === project && letter.address === address && letter.mailId > 0,
      );
      const rows = [...untaken.map(untakenTransition), ...(findCell(tables, project, address)?.transitions ?? [])];
      const found = rows.filter((row) => after === null || isLater(row, after)).sort(byPlace);
      return Promise.resolve(copy(found.slice(0, limit)));
    },
    readProjectLog: (project, after, limit) => {
      const rows = [...tables.cells.values()]
        .filter((cell) => cell.project === project)
        .flatMap(({ address, transitions }) =>
          transitions.map((row): ProjectTransition => ({ ...row, address, atMicros: row.atMs * 1000 })),
        )
        .filter((row) => byTime(row, after) > 0)
        .sort(byTime);
      return Promise.resolve(copy(rows.slice(0, limit)));
    },
    readMail: (project, address, _shard, { after, limit }) => {
      const rows = mailOf(project, address).filter(({ mailId, envelope }) => {
        if (after === undefined) return true;
        if (envelope.priority !== after.priority) return envelope.priority === 'normal';
        return mailId > after.mailId;
      });
      return Promise.resolve(copy(rows.slice(0, limit).map(mailRow)));
    },
    countMail: (project, address, _shard, limit) => Promise.resolve(Math.min(limit, mailOf(project, address).length)),
  };
}

function isLater(row: LogPlace, after: LogPlace): boolean {
  return byPlace(row, after) > 0;
}

function byPlace(a: LogPlace, b: LogPlace): number {
  return a.seq - b.seq || a.index - b.index;
}

function byTime(a: ProjectLogPlace, b: ProjectLogPlace): number {
  if (a.atMicros !== b.atMicros) return a.atMicros - b.atMicros;
  if (a.address !== b.address) return a.address < b.address ? -1 : 1;
  return byPlace(a, b);
}
