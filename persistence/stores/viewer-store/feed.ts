import type { ViewerFeedStore } from '#contracts/ports/viewer.ts';
import type { StatementPool } from '../../pools.ts';
import { storableText } from '../sql-values.ts';

export function feedMethods(pool: StatementPool): ViewerFeedStore {
  return {
    async openSession({ project, sessionId, taskId, owner }) {
      const text = `insert into viewer_session (project, id, task_id, owner, frames) values ($1, $2, $3, $4, 0)
        on conflict (project, id) do update set beat_at = now(), ended_at = null`;
      await pool.run({ name: 'viewer-open', text, values: [project, sessionId, taskId, owner] });
    },
    async beat(sessions) {
      const text = `update viewer_session session set beat_at = now()
        from unnest($1::text[], $2::text[]) as alive (project, id)
        where session.project = alive.project and session.id = alive.id and session.ended_at is null`;
      const values = [sessions.map(({ project }) => project), sessions.map(({ sessionId }) => sessionId)];
      await pool.run({ name: 'viewer-beat', text, values });
    },
    async endSession({ project, sessionId }) {
      const text = `update viewer_session set ended_at = now() where project = $1 and id = $2 and ended_at is null`;
      await pool.run({ name: 'viewer-end', text, values: [project, sessionId] });
    },
    async addFrame({ project, sessionId }, frame, keep) {
      const text = `with numbered as (
          update viewer_session set frames = frames + 1 where project = $1 and id = $2 returning frames),
        gone as (
          delete from viewer_frame where project = $1 and session_id = $2 and seq <= (select frames from numbered) - $3::bigint)
        insert into viewer_frame (project, session_id, seq, captured_ms, document_generation, withheld, url, title, width,
          height, bytes, created_at)
        select $1, $2, frames, $4, $5, $6, $7, $8, $9, $10, $11, now() - $12::float8 * interval '1 millisecond' from numbered`;
      const bytes = frame.withheld === null && frame.bytes !== null ? Buffer.from(frame.bytes) : null;
      const { capturedAtMs, documentGeneration, withheld, url, title, width, height, ageMs } = frame;
      const words = [storableText(documentGeneration), withheld, storableText(url), storableText(title)];
      const values = [project, sessionId, keep, capturedAtMs, ...words, width, height, bytes, ageMs];
      await pool.run({ name: 'viewer-frame', text, values });
    },
    async trim(maxAgeMs) {
      const old = `< now() - $1::float8 * interval '1 millisecond'`;
      const text = `with frames as (delete from viewer_frame where created_at ${old}),
          tickets as (delete from viewer_ticket where created_at ${old})
        delete from viewer_session where beat_at ${old}`;
      await pool.run({ name: 'viewer-trim', text, values: [maxAgeMs] });
    },
  };
}
