import type { IForbiddenRuleType } from 'dependency-cruiser';
import { FREE, HOMES, ROWS, type Row } from './import-table.ts';

const NPM_TYPES = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'npm-bundled'] as const;

function anyOf(patterns: readonly string[]): string {
  return patterns.map((pattern) => `(?:${pattern})`).join('|');
}

/** `nats` and `@koa/router` as they appear in a resolved path; a package's subpaths included. */
function packagePattern(name: string): string {
  return `(?:^|/)node_modules/(?:@types/)?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:/|$)`;
}

function rowRules(row: Row, index: number, earlier: readonly string[]): IForbiddenRuleType[] {
  const from = { path: row.files, ...(earlier.length > 0 ? { pathNot: anyOf(earlier) } : {}) };
  const name = `row-${index + 1}`;
  // `$1` must stay outside of alternatives that dependency-cruiser would number anew: non-capturing groups only.
  const rules: IForbiddenRuleType[] = [
    {
      name: `${name}-folders`,
      severity: 'error',
      comment: `[IM1] ${row.because}`,
      from,
      to: { path: '^[^/]+/', pathNot: anyOf([...row.mayImport, 'node_modules/']), dependencyTypesNot: ['core'] },
    },
  ];
  if (row.isPure) {
    rules.push({
      name: `${name}-node`,
      severity: 'error',
      comment: '[IM3] A pure file names no module of Node; take what it needs as an argument.',
      from,
      to: { dependencyTypes: ['core'] },
    });
  }
  return rules;
}

function homeRules(): IForbiddenRuleType[] {
  const known = HOMES.flatMap((home) => home.packages.map(packagePattern));
  const rules = HOMES.map((home): IForbiddenRuleType => ({
    name: `home-of-${home.packages[0]}`,
    severity: 'error',
    comment: `[IM2] ${home.packages.join(', ')}: only in ${home.files.join(', ')} (see HOMES in import-table.ts).`,
    from: { path: '.', pathNot: anyOf([...home.files, FREE, 'node_modules/']) },
    to: { path: anyOf(home.packages.map(packagePattern)) },
  }));
  rules.push({
    name: 'homeless-package',
    severity: 'error',
    comment: '[IM2] This package has no home yet: add one to HOMES in scripts/lint/import-table.ts.',
    from: { path: '.', pathNot: anyOf([FREE, 'node_modules/']) },
    to: { dependencyTypes: [...NPM_TYPES], pathNot: anyOf(known) },
  });
  return rules;
}

const GENERAL: readonly IForbiddenRuleType[] = [
  {
    name: 'no-cycle',
    severity: 'error',
    comment: '[IM4] Modules in a cycle cannot be read one after the other: move what both need into a third file.',
    from: { pathNot: 'node_modules/' },
    to: { circular: true },
  },
  {
    name: 'folder-without-row',
    severity: 'error',
    comment: '[IM1] This folder has no row in scripts/lint/import-table.ts.',
    from: { path: '.', pathNot: anyOf([...ROWS.map((row) => row.files), 'node_modules/']) },
    to: {},
  },
  {
    name: 'crossing-without-hash',
    severity: 'error',
    comment: '[IM5] Another top-level folder is imported as `#folder/…`, so that the line itself shows the crossing.',
    from: { path: '^([^/]+)/', pathNot: 'node_modules/' },
    to: { path: '^[^/]+/', pathNot: '^$1/|node_modules/', dependencyTypesNot: ['aliased-subpath-import', 'core'] },
  },
  {
    name: 'hash-without-crossing',
    severity: 'error',
    comment: '[IM5] Inside one folder paths are relative.',
    from: { path: '^(contracts|actors|persistence|gateway|client)/' },
    to: { path: '^$1/', dependencyTypes: ['aliased-subpath-import'] },
  },
  {
    name: 'hash-without-crossing-in-runtime',
    severity: 'error',
    comment: '[IM5] Inside one folder paths are relative.',
    from: { path: '^runtime/([^/]+)/' },
    to: { path: '^runtime/$1/', dependencyTypes: ['aliased-subpath-import'] },
  },
  {
    name: 'unresolvable',
    severity: 'error',
    comment: 'This import leads nowhere.',
    from: { pathNot: 'node_modules/' },
    to: { couldNotResolve: true },
  },
];

/** The table in the form dependency-cruiser reads. */
export function importRules(): IForbiddenRuleType[] {
  const rows = ROWS.flatMap((row, index) =>
    rowRules(
      row,
      index,
      ROWS.slice(0, index).map((earlier) => earlier.files),
    ),
  );
  return [...rows, ...homeRules(), ...GENERAL];
}
