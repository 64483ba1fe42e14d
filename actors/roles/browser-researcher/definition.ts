import { extractiveVersions, NO_MATERIALS, type RoleDefinition } from '../role-definition.ts';

/** Proposes ONE action for one page: open it, read it, or say why not. */
export const browserResearcher: RoleDefinition<'browser_researcher'> = {
  role: 'browser_researcher',
  versions: extractiveVersions('browser_researcher', 1),
  tools: ['navigate', 'read', 'finish'],
  materials: () => NO_MATERIALS,
  propose: ({ url, observation }) => {
    if (observation === null) return { role: 'browser_researcher', action: { kind: 'navigate', url } };
    const status = observation.http_status;
    if (status !== null && status >= 400) {
      return { role: 'browser_researcher', action: { kind: 'finish', reason: `the site answered ${status}` } };
    }
    return { role: 'browser_researcher', action: { kind: 'read' } };
  },
};
