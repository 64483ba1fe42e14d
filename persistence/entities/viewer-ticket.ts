import { defineEntity, p } from '@mikro-orm/core';

export const ViewerTicketEntity = defineEntity({
  name: 'ViewerTicket',
  tableName: 'viewer_ticket',
  properties: {
    hash: p.text().primary(),
    project: p.text(),
    sessionId: p.text(),
    subject: p.text(),
    clientId: p.text(),
    scope: p.text(),
    expiresMs: p.bigint(),
    /** The grant that the ticket was exchanged for. */
    grantId: p.text().nullable(),
    endsMs: p.bigint().nullable(),
    revoked: p.boolean(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    { name: 'viewer_ticket_grant_index', properties: ['grantId'] },
    { name: 'viewer_ticket_subject_index', properties: ['subject'] },
  ],
});
