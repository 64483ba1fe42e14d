import { extractiveVersions, NO_MATERIALS, type RoleDefinition } from '../role-definition.ts';

/** Turns a question into search briefs. Its snippets and guesses are never evidence. */
export const searchPlanner: RoleDefinition<'search_planner'> = {
  role: 'search_planner',
  versions: extractiveVersions('search_planner', 1),
  tools: ['search'],
  materials: () => NO_MATERIALS,
  propose: (task) => ({ role: 'search_planner', briefs: [task.question.trim().slice(0, 1000)] }),
};
