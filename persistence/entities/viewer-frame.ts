import { defineEntity, p } from '@mikro-orm/core';

export const ViewerFrameEntity = defineEntity({
  name: 'ViewerFrame',
  tableName: 'viewer_frame',
  properties: {
    project: p.text().primary(),
    sessionId: p.text().primary(),
    seq: p.bigint().primary(),
    capturedMs: p.bigint(),
    documentGeneration: p.text(),
    withheld: p.text().nullable(),
    url: p.text(),
    title: p.text(),
    width: p.integer(),
    height: p.integer(),
    bytes: p.blob().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
