import { resolve } from 'node:path';
import * as z from 'zod';
import { UnknownPricePolicy } from '#contracts/actors/ledger.ts';
import { fail } from '#contracts/errors.ts';
import { Language } from '#contracts/ids.ts';
import { wholeMinorOf } from '#contracts/research/minor.ts';
import { RobotsPolicy } from '#contracts/research/robots.ts';

const url = (protocols: readonly string[]) =>
  z.string().refine(
    (value) => {
      const parsed = URL.parse(value);
      return parsed !== null && protocols.includes(parsed.protocol) && parsed.hostname !== '';
    },
    `expected an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );

const hasNoPassword = (value: string): boolean => {
  const { username, password } = URL.parse(value) ?? { username: '', password: '' };
  return username === '' && password === '';
};

/** Every setting, its variable, flag, default and meaning. README and help are checked against this list. */
export const settings = {
  YUNSOU_ROLE: {
    flag: 'role',
    default: 'all',
    meaning: 'what this process does: all, or some of web, worker, browser separated by commas',
  },
  PORT: { flag: 'port', default: '7300', meaning: 'port of the web interface; 0 takes any free port' },
  HOST: {
    flag: 'host',
    default: '127.0.0.1',
    meaning: 'address to listen on; anything but loopback opens it to the network',
  },
  DATABASE_URL: { flag: 'database', default: '', meaning: 'PostgreSQL to use instead of the supervised one' },
  NATS_URL: { flag: 'nats', default: '', meaning: 'NATS server for wake hints between processes' },
  BROWSER_PATH: { flag: 'browser', default: '', meaning: 'Chromium or Chrome to use' },
  YUNSOU_ROBOTS: {
    flag: 'robots',
    default: 'ignore',
    meaning: 'what robots.txt counts for: ignore, respect (disallowed pages are not opened) or respect_and_record',
  },
  YUNSOU_INTERNAL_SITES: {
    flag: 'internal-sites',
    default: '',
    meaning: 'sites of the own network that may be read, each exactly as host:port, separated by commas',
  },
  YUNSOU_DATA_DIR: { flag: 'data', default: '.data', meaning: 'folder of database, result files and keys' },
  YUNSOU_LIBRARY: { flag: 'library', default: '', meaning: 'folder to add to the library' },
  YUNSOU_SEARCH: {
    flag: 'search',
    default: 'library',
    meaning: 'who searches: library, searxng, brave, openai or anthropic; keys are variables of their own',
  },
  SEARXNG_URL: { flag: 'searxng', default: '', meaning: 'address of the SearXNG that searches' },
  YUNSOU_SEARCH_MODEL: {
    flag: 'search-model',
    default: '',
    meaning: 'model that plans a hosted search (openai, anthropic) instead of the default one',
  },
  YUNSOU_SEARCH_PRICE: {
    flag: 'search-price',
    default: '',
    meaning:
      'its price in dollars: input/cached input/output by the million tokens/one search; without a price it is not used',
  },
  YUNSOU_MODEL: {
    flag: 'model',
    default: '',
    meaning: 'profile of the language model that makes proposals; without one it is the extractive engine',
  },
  YUNSOU_MODEL_PROFILES: {
    flag: 'model-profiles',
    default: '',
    meaning: 'YAML file of your own model profiles, a list under profiles:',
  },
  YUNSOU_BUDGET: {
    flag: 'budget',
    default: '',
    meaning:
      'what one task may spend unless it says otherwise, as in 5 USD; without it nothing that costs money is called',
  },
  YUNSOU_UNKNOWN_PRICE: {
    flag: 'unknown-price',
    default: 'block',
    meaning: 'calls whose price is not known: block, or approved_upper_bound, which holds the budget for them',
  },
  YUNSOU_LANGUAGE: {
    flag: 'language',
    default: 'en',
    meaning: 'language of the interface for browsers that speak neither: en or zh-CN',
  },
  YUNSOU_LOG_DAYS: {
    flag: 'log-days',
    default: '90',
    meaning: 'days that the transition log and the events of ended work are kept; 0 keeps them for ever',
  },
  LOG_LEVEL: { flag: 'log-level', default: 'warn', meaning: 'error, warn, info, debug or silent' },
} as const;

/** Everything a process can do for the product. */
export const ROLES = ['web', 'worker', 'browser'] as const;
export type Role = (typeof ROLES)[number];

const Roles = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum([...ROLES, 'all'], 'expected all, or some of web, worker, browser separated by commas')))
  .transform((names): readonly Role[] =>
    names.includes('all') ? ROLES : ROLES.filter((role) => names.includes(role)),
  );

export const SEARCH_PROVIDERS = ['library', 'searxng', 'brave', 'openai', 'anthropic'] as const;

const FourPrices = z
  .string()
  .regex(/^\d+(?:\.\d+)?(?:\/\d+(?:\.\d+)?){3}$/, 'expected four prices, as in 0.25/0.025/2/0.01')
  .transform((text) => text.split('/').map(Number))
  .pipe(z.tuple([z.number(), z.number(), z.number(), z.number()]));

/** Exact pairs in the spelling in which they are compared; no pattern, no range, no port left out. */
const InternalSites = z
  .string()
  .transform((text) => text.split(',').map((site) => site.trim().toLowerCase()))
  .transform((sites) => sites.filter((site) => site !== ''))
  .pipe(
    z.array(
      z
        .string()
        .regex(/^(?:[a-z0-9_.-]*[a-z0-9]|\[[0-9a-f:.]+\]):\d{1,5}$/, 'expected host:port, as in wiki.corp:8080'),
    ),
  )
  .transform((sites): ReadonlySet<string> => new Set(sites.map((site) => site.replace(/^\[|\](?=:\d+$)/g, ''))));

const Budget = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,3})? [A-Z]{3}$/, 'expected an amount and its currency, as in 5 USD')
  .transform((text) => {
    const [amount = '0', currency = 'USD'] = text.split(' ');
    return { currency, cap_minor: wholeMinorOf(amount, currency) };
  });

const Config = z.object({
  YUNSOU_ROLE: Roles,
  PORT: z.coerce
    .number()
    .int('expected a whole number')
    .min(0, 'expected 0 to 65535')
    .max(65_535, 'expected 0 to 65535'),
  HOST: z.string().regex(/^[A-Za-z0-9.:_-]+$/, 'expected a host name or an IP address'),
  DATABASE_URL: z.union([z.literal(''), url(['postgres:', 'postgresql:'])]),
  NATS_URL: z.union([z.literal(''), url(['nats:', 'tls:'])]),
  BROWSER_PATH: z.string(),
  YUNSOU_ROBOTS: RobotsPolicy,
  YUNSOU_INTERNAL_SITES: InternalSites,
  YUNSOU_DATA_DIR: z.string().min(1, 'expected a folder'),
  YUNSOU_LIBRARY: z.string(),
  YUNSOU_SEARCH: z.enum(SEARCH_PROVIDERS, `expected one of ${SEARCH_PROVIDERS.join(', ')}`),
  SEARXNG_URL: z.union([z.literal(''), url(['http:', 'https:']).refine(hasNoPassword, 'expected no user name')]),
  YUNSOU_SEARCH_MODEL: z.string().regex(/^[\w.:/@-]*$/, 'expected the name of a model'),
  YUNSOU_SEARCH_PRICE: z.union([z.literal('').transform(() => null), FourPrices]),
  YUNSOU_MODEL: z.string().regex(/^(?:[a-z0-9][a-z0-9._-]{0,63})?$/, 'expected the name of a profile'),
  YUNSOU_MODEL_PROFILES: z.string(),
  YUNSOU_BUDGET: z.union([z.literal('').transform(() => null), Budget]),
  YUNSOU_UNKNOWN_PRICE: UnknownPricePolicy,
  YUNSOU_LANGUAGE: Language,
  YUNSOU_LOG_DAYS: z.coerce
    .number('expected a number of days')
    .min(0, 'expected 0 or more')
    .max(36_500, 'expected at most 36500'),
  LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug', 'silent']),
});

/** No key is among the settings: options are seen by everybody on the machine, and settings travel through the process. */
export type SearchConfig = {
  readonly provider: (typeof SEARCH_PROVIDERS)[number];
  readonly searxngUrl: string | null;
  readonly model: string | null;
  /** Input, cached input and output by the million tokens, one search; in dollars. */
  readonly price: readonly [number, number, number, number] | null;
};

/** Keys are variables of their own: each profile names its own, and the same name with `_FILE` names a file. */
export type ModelConfig = { readonly profile: string | null; readonly profilesFile: string | null };

/** Of one task, when nobody says otherwise. */
export type BudgetConfig = {
  readonly cap: { readonly currency: string; readonly cap_minor: string } | null;
  readonly unknownPrice: UnknownPricePolicy;
};

export type Config = {
  readonly roles: readonly Role[];
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string | null;
  readonly natsUrl: string | null;
  readonly browserPath: string | null;
  readonly robots: RobotsPolicy;
  readonly internalSites: ReadonlySet<string>;
  readonly dataDir: string;
  readonly library: string | null;
  readonly search: SearchConfig;
  readonly model: ModelConfig;
  readonly budget: BudgetConfig;
  readonly language: Language;
  readonly logDays: number;
  readonly logLevel: z.infer<typeof Config>['LOG_LEVEL'];
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Flags win over variables, variables over defaults. Throws `config.invalid` with one sentence that names the setting. */
export function readConfig(environment: Environment, flags: Readonly<Record<string, string>>): Config {
  refuseUnknown(flags);
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [
      name,
      flags[setting.flag] ?? nonEmpty(environment[name]) ?? setting.default,
    ]),
  );
  const parsed = Config.safeParse(values);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0] ?? 'setting');
    // The value may be an address with a password in it, so it is not repeated.
    return fail('config.invalid', `${name} is not usable: ${describe(name, issue?.message ?? '')}`);
  }
  const config = parsed.data;
  if (config.YUNSOU_ROLE.length < ROLES.length && (config.DATABASE_URL === '' || config.NATS_URL === '')) {
    fail(
      'config.invalid',
      `the role ${config.YUNSOU_ROLE.join(',')} needs DATABASE_URL and NATS_URL: the processes of one installation meet there`,
    );
  }
  return {
    roles: config.YUNSOU_ROLE,
    port: config.PORT,
    host: config.HOST,
    databaseUrl: nonEmpty(config.DATABASE_URL) ?? null,
    natsUrl: nonEmpty(config.NATS_URL) ?? null,
    browserPath: nonEmpty(config.BROWSER_PATH) ?? null,
    robots: config.YUNSOU_ROBOTS,
    internalSites: config.YUNSOU_INTERNAL_SITES,
    dataDir: resolve(config.YUNSOU_DATA_DIR),
    library: pathOrNull(config.YUNSOU_LIBRARY),
    search: {
      provider: config.YUNSOU_SEARCH,
      searxngUrl: nonEmpty(config.SEARXNG_URL) ?? null,
      model: nonEmpty(config.YUNSOU_SEARCH_MODEL) ?? null,
      price: config.YUNSOU_SEARCH_PRICE,
    },
    model: {
      profile: nonEmpty(config.YUNSOU_MODEL) ?? null,
      profilesFile: pathOrNull(config.YUNSOU_MODEL_PROFILES),
    },
    budget: { cap: config.YUNSOU_BUDGET, unknownPrice: config.YUNSOU_UNKNOWN_PRICE },
    language: config.YUNSOU_LANGUAGE,
    logDays: config.YUNSOU_LOG_DAYS,
    logLevel: config.LOG_LEVEL,
  };
}

function refuseUnknown(flags: Readonly<Record<string, string>>): void {
  const known = new Set<string>(Object.values(settings).map(({ flag }) => flag));
  const unknown = Object.keys(flags).find((flag) => !known.has(flag));
  if (unknown === undefined) return;
  const options = [...known].map((flag) => `--${flag}`).join(', ');
  fail('config.invalid', `unknown option --${unknown}; known are ${options}`);
}

const pathOrNull = (path: string): string | null => (path === '' ? null : resolve(path));
const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

function describe(name: string, message: string): string {
  if (name === 'DATABASE_URL') return 'expected an address that starts with postgres:// or postgresql://';
  if (name === 'NATS_URL') return 'expected an address that starts with nats:// or tls://';
  if (name === 'SEARXNG_URL')
    return 'expected an address that starts with http:// or https://, without user name and password';
  return message;
}

/** `--name value` and `--name=value`; everything that is no flag is returned as it stands. `booleans` take no value. */
export function readFlags(
  args: readonly string[],
  booleans: readonly string[] = [],
): { flags: Record<string, string>; rest: string[] } {
  const flags: Record<string, string> = {};
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('--') || arg === '--') {
      if (arg !== '--') rest.push(arg);
      continue;
    }
    const [name, inline] = splitOnce(arg.slice(2), '=');
    if (booleans.includes(name)) flags[name] = 'true';
    else if (inline !== undefined) flags[name] = inline;
    else {
      const value = args[index + 1];
      if (value === undefined) fail('config.invalid', `--${name} needs a value`);
      flags[name] = value;
      index += 1;
    }
  }
  return { flags, rest };
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
