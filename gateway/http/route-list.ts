import * as z from 'zod';
import { describeInterface } from './openapi.ts';
import { defineRoute, type Route } from './route.ts';
import { actorRoutes } from './routes/actors.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { ledgerRoutes } from './routes/ledger.ts';
import { libraryRoutes } from './routes/library.ts';
import { messageRoutes } from './routes/messages.ts';
import { modelRoutes } from './routes/models.ts';
import { operatorRoutes } from './routes/operators.ts';
import { researchRoutes } from './routes/research.ts';
import { sessionRoutes } from './routes/session.ts';
import { systemRoutes } from './routes/system.ts';
import { taskRoutes } from './routes/tasks.ts';
import { viewerRoutes } from './routes/viewer.ts';

/** Every call of the interface, the description of all of them included. */
export function allRoutes(version: string): readonly Route[] {
  const routes = [
    ...sessionRoutes,
    ...conversationRoutes,
    ...messageRoutes,
    ...taskRoutes,
    ...researchRoutes,
    ...viewerRoutes,
    ...ledgerRoutes,
    ...modelRoutes,
    ...libraryRoutes,
    ...actorRoutes,
    ...operatorRoutes,
    ...systemRoutes,
  ];
  const openapi = defineRoute({
    method: 'get',
    path: '/openapi.json',
    summary: 'This contract',
    access: 'open',
    isAlsoAtRoot: true,
    answer: { status: 200, schema: z.record(z.string(), z.json()), description: 'OpenAPI 3.1' },
    handle: async () => description,
  });
  const description = describeInterface([...routes, openapi], version);
  return [...routes, openapi];
}
