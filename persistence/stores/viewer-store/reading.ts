import type { FrameHead, KeptFrame, ViewerReads, ViewerSession } from '#contracts/ports/viewer.ts';
import type { StatementPool } from '../../pools.ts';

const ageOf = (column: string): string => `greatest(0, extract(epoch from now() - ${column}) * 1000)::float8`;
const msOf = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

const SESSION = `s.project, s.id, s.task_id, s.owner, ${msOf('s.created_at')} as opened_ms,
  ${msOf('s.ended_at')} as ended_ms, ${ageOf('s.beat_at')} as since_beat_ms`;
const HEAD = 'seq, captured_ms, document_generation, withheld, url, title, width, height';

type SessionRow = {
  project: string;
  id: string;
  task_id: string;
  owner: string;
  opened_ms: number;
  ended_ms: number | null;
  since_beat_ms: number;
};
type HeadRow = {
  seq: number;
  captured_ms: number;
  document_generation: string;
  withheld: FrameHead['withheld'];
  url: string;
  title: string;
  width: number;
  height: number;
};
type FrameRow = HeadRow & { age_ms: number; bytes: Buffer | null };
type LookRow = SessionRow & { [Column in keyof FrameRow]: FrameRow[Column] | null };

export function readMethods(pool: StatementPool): ViewerReads {
  return {
    async sessionsOfTask(project, taskId, limit) {
      const text = `select ${SESSION} from viewer_session s where s.project = $1 and s.task_id = $2
        order by s.created_at desc, s.id desc limit $3`;
      const rows = await pool.run<SessionRow>({ name: 'viewer-sessions', text, values: [project, taskId, limit] });
      return rows.map(sessionOf);
    },
    async session({ project, sessionId }) {
      const text = `select ${SESSION} from viewer_session s where s.project = $1 and s.id = $2`;
      const [row] = await pool.run<SessionRow>({ name: 'viewer-session', text, values: [project, sessionId] });
      return row === undefined ? null : sessionOf(row);
    },
    async look({ project, sessionId }, { follow, seen }) {
      const text = `with asked as (select * from viewer_session where project = $1 and id = $2),
        shown as (
          select next.* from viewer_session next, asked
          where next.project = $1 and next.task_id = asked.task_id and next.owner = asked.owner
            and (next.id = asked.id or ($3::boolean and next.created_at >= asked.created_at))
          order by next.created_at desc, next.id desc limit 1)
        select ${SESSION}, ${HEAD}, ${ageOf('frame.created_at')} as age_ms,
          case when s.id is distinct from $4::text or seq is distinct from $5::bigint then bytes end as bytes
        from shown s left join lateral (
          select * from viewer_frame where project = $1 and session_id = s.id order by seq desc limit 1) frame on true`;
      const values = [project, sessionId, follow, seen?.sessionId ?? null, seen?.seq ?? null];
      const [row] = await pool.run<LookRow>({ name: 'viewer-look', text, values });
      if (row === undefined) return null;
      return { session: sessionOf(row), frame: row.seq === null ? null : frameOf(row as FrameRow) };
    },
    async frames({ project, sessionId }, limit) {
      const text = `select ${HEAD} from viewer_frame where project = $1 and session_id = $2 order by seq desc limit $3`;
      const rows = await pool.run<HeadRow>({ name: 'viewer-frames', text, values: [project, sessionId, limit] });
      return rows.map(headOf);
    },
    async frame({ project, sessionId }, seq) {
      const text = `select ${HEAD}, ${ageOf('created_at')} as age_ms, bytes from viewer_frame
        where project = $1 and session_id = $2 and seq = $3`;
      const [row] = await pool.run<FrameRow>({ name: 'viewer-one-frame', text, values: [project, sessionId, seq] });
      return row === undefined ? null : frameOf(row);
    },
  };
}

function sessionOf(row: SessionRow): ViewerSession {
  const { project, id, task_id, owner, opened_ms, ended_ms, since_beat_ms } = row;
  return {
    project,
    sessionId: id,
    taskId: task_id,
    owner,
    openedAtMs: opened_ms,
    endedAtMs: ended_ms,
    sinceBeatMs: since_beat_ms,
  };
}

function headOf({ seq, captured_ms, document_generation, withheld, url, title, width, height }: HeadRow): FrameHead {
  const documentGeneration = document_generation;
  return { seq, capturedAtMs: captured_ms, documentGeneration, withheld, url, title, width, height };
}

function frameOf(row: FrameRow): KeptFrame {
  return { ...headOf(row), ageMs: row.age_ms, bytes: row.bytes === null ? null : new Uint8Array(row.bytes) };
}
