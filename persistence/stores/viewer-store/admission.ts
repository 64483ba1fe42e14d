import type { ViewerAdmission, ViewerGrant, ViewerScope } from '#contracts/ports/viewer.ts';
import type { StatementPool } from '../../pools.ts';

const GRANT = 'project, session_id, subject, client_id, scope, grant_id, ends_ms';
const ALIVE = 'project = $1 and grant_id = $2 and not revoked and ends_ms > $3';

type GrantRow = {
  project: string;
  session_id: string;
  subject: string;
  client_id: string;
  scope: ViewerScope;
  grant_id: string;
  ends_ms: number;
};

export function admissionMethods(pool: StatementPool): ViewerAdmission {
  const one = async (name: string, text: string, values: readonly unknown[]): Promise<ViewerGrant | null> => {
    const [row] = await pool.run<GrantRow>({ name, text, values });
    return row === undefined ? null : grantOf(row);
  };
  return {
    async addTicket({ hash, project, sessionId, subject, clientId, scope, expiresAtMs }) {
      const text = `insert into viewer_ticket (hash, project, session_id, subject, client_id, scope, expires_ms, revoked)
        values ($1, $2, $3, $4, $5, $6, $7, false)`;
      const values = [hash, project, sessionId, subject, clientId, scope, expiresAtMs];
      await pool.run({ name: 'viewer-ticket', text, values });
    },
    exchange(hash, { project, subject, clientId, scope }, { grantId, endsAtMs }, nowMs) {
      const text = `update viewer_ticket set grant_id = $6, ends_ms = $7
        where hash = $1 and project = $2 and subject = $3 and client_id = $4 and scope = $5
          and grant_id is null and not revoked and expires_ms > $8
        returning ${GRANT}`;
      return one('viewer-exchange', text, [hash, project, subject, clientId, scope, grantId, endsAtMs, nowMs]);
    },
    grant: (project, grantId, nowMs) =>
      one('viewer-grant', `select ${GRANT} from viewer_ticket where ${ALIVE}`, [project, grantId, nowMs]),
    renew(project, grantId, endsAtMs, nowMs) {
      const text = `update viewer_ticket set ends_ms = $4 where ${ALIVE} returning ${GRANT}`;
      return one('viewer-renew', text, [project, grantId, nowMs, endsAtMs]);
    },
    async revoke(project, grantId) {
      const text = 'update viewer_ticket set revoked = true where project = $1 and grant_id = $2';
      await pool.run({ name: 'viewer-revoke', text, values: [project, grantId] });
    },
    async revokeSubject(subject) {
      const text = 'update viewer_ticket set revoked = true where subject = $1 and not revoked';
      await pool.run({ name: 'viewer-revoke-subject', text, values: [subject] });
    },
  };
}

function grantOf({ project, session_id, subject, client_id, scope, grant_id, ends_ms }: GrantRow): ViewerGrant {
  return {
    project,
    sessionId: session_id,
    subject,
    clientId: client_id,
    scope,
    grantId: grant_id,
    endsAtMs: ends_ms,
  };
}
