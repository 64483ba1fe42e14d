import { extractiveVersions, NO_MATERIALS, type RoleDefinition } from '../role-definition.ts';

/**
 * Asks for named computations over a sealed snapshot. It never does arithmetic in prose; without a sealed data set
 * there is nothing to compute, so the extractive engine asks for nothing and no plan of this version calls it.
 */
export const analyst: RoleDefinition<'analyst'> = {
  role: 'analyst',
  versions: extractiveVersions('analyst', 1),
  tools: ['compute'],
  materials: () => NO_MATERIALS,
  propose: () => ({ role: 'analyst', computations: [] }),
};
