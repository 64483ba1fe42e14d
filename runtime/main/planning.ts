import { toFailure } from '#contracts/errors.ts';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import type { ModelsPort } from '#contracts/ports/models.ts';
import type { PlanningPort, ProbeRequest } from '#contracts/ports/planning.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { LiveWorker } from '#contracts/ports/actor-store.ts';
import { EXTRACTIVE, engineDifference, type Engine } from '#contracts/research/engine.ts';
import { preflightWords } from '#contracts/research/preflight-words.ts';
import {
  FREE_ABILITIES,
  type FindingCode,
  type PlanAbilities,
  type PreflightFinding,
} from '#contracts/research/preflight.ts';
import type { SpecSettings } from '#contracts/research/spec-settings.ts';
import { PARSER_VERSION } from '#runtime/providers/reader/parser-version.ts';

export type PlanningParts = {
  readonly models: ModelsPort | null;
  readonly search: SearchPort | null;
  /** Null: the browser is in another process, which is asked for by its heart-beat. */
  readonly browser: Pick<BrowserPort, 'health'> | null;
  readonly liveWorkers: () => Promise<readonly LiveWorker[]>;
  readonly settings: SpecSettings;
};

/** Words that any library knows or does not know: that it answered is what counts. */
const PROBE_BRIEF = 'status';
/** Providers that cost nothing to ask. */
const FREE_SEARCH = new Set(['library', 'searxng']);

/** What tasks are planned with in this process. */
export function createPlanning(parts: PlanningParts): PlanningPort {
  const engine = (): Engine => parts.models?.defaultEngine() ?? EXTRACTIVE;
  return {
    parserVersion: PARSER_VERSION,
    surroundings: () => ({ engine: engine(), settings: parts.settings, abilities: abilitiesOf(parts, engine()) }),
    engineProblem: (pinned) => engineDifference(pinned, engine()),
    probe: async (request) => {
      const found = await Promise.all([
        probeBrowser(parts, request),
        request.needsSearch ? probeSearch(parts, request) : null,
        probeModel(parts, request),
      ]);
      return found.filter((finding) => finding !== null);
    },
  };
}

function abilitiesOf({ models, search, settings }: PlanningParts, engine: Engine): PlanAbilities {
  return { ...FREE_ABILITIES, search: search !== null, cost: costOf(models, engine, settings) };
}

function costOf(models: ModelsPort | null, engine: Engine, settings: SpecSettings): PlanAbilities['cost'] {
  if (models === null || engine.kind === 'extractive') return { kind: 'free' };
  if (engine.price_version === null) return { kind: 'unknown' };
  const currency = models.open(engine.profile).profile.prices?.currency ?? settings.currency;
  return { kind: 'priced', currency, at_least_minor: '0' };
}

type Severity = PreflightFinding['severity'];

function finding(
  request: ProbeRequest,
  code: FindingCode,
  what: string,
  severity: Severity = 'error',
): PreflightFinding {
  return { severity, code, pointer: '', words: preflightWords(request.language)[code](what) };
}

async function probeBrowser(parts: PlanningParts, request: ProbeRequest): Promise<PreflightFinding | null> {
  if (parts.browser === null) {
    const workers = await parts.liveWorkers();
    if (workers.some(({ pools }) => pools.includes('browser'))) return null;
    return finding(request, 'ability.browser_unreachable', 'no process runs one');
  }
  try {
    const health = await parts.browser.health();
    return health.ok ? null : finding(request, 'ability.browser_unreachable', health.problem ?? 'unhealthy');
  } catch (thrown) {
    return finding(request, 'ability.browser_unreachable', toFailure(thrown).message);
  }
}

/** Nothing found is an answer too. A search that is paid for each time is not asked for a test. */
async function probeSearch({ search }: PlanningParts, request: ProbeRequest): Promise<PreflightFinding | null> {
  if (search === null) return finding(request, 'ability.search_missing', '');
  if (!FREE_SEARCH.has(search.provider)) {
    return finding(
      request,
      'ability.search_unreachable',
      `${search.provider}: not asked, each search is charged`,
      'note',
    );
  }
  try {
    const call = { project: 'probe', callId: 'probe', reason: 'uncertain' as const, signal: request.signal };
    await search.search({ brief: PROBE_BRIEF }, call);
    return null;
  } catch (thrown) {
    const { code, message } = toFailure(thrown);
    return code === 'search.response_invalid' ? null : finding(request, 'ability.search_unreachable', message);
  }
}

/** Any answer of the endpoint will do: no key is sent and nothing is generated, so nothing is charged. */
async function probeModel({ models }: PlanningParts, request: ProbeRequest): Promise<PreflightFinding | null> {
  const { engine, signal } = request;
  if (engine.kind === 'extractive') return null;
  if (models === null) return finding(request, 'ability.model_unreachable', `${engine.profile} is not configured`);
  try {
    const { base_url } = models.open(engine.profile).profile;
    await fetch(base_url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    return null;
  } catch (thrown) {
    return finding(request, 'ability.model_unreachable', toFailure(thrown).message);
  }
}
