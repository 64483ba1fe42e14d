import { defineEntity, p } from '@mikro-orm/core';

export const ViewerSessionEntity = defineEntity({
  name: 'ViewerSession',
  tableName: 'viewer_session',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    taskId: p.text(),
    owner: p.text(),
    /** How many there were, not how many are kept. */
    frames: p.bigint(),
    beatAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [{ name: 'viewer_session_task_index', properties: ['project', 'taskId', 'createdAt'] }],
});
