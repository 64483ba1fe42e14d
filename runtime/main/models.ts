import type { ResourceLimits } from '#contracts/actors/limiter.ts';
import { fail, toFailure, type Failure } from '#contracts/errors.ts';
import type { ModelProbeView, ModelsView, ModelView } from '#contracts/http/models.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { ModelAdministration } from '#contracts/ports/model-administration.ts';
import type { ModelPort } from '#contracts/ports/model.ts';
import type { ModelsPort } from '#contracts/ports/models.ts';
import { engineOf } from '#contracts/research/engine.ts';
import { addCosts, costOf } from '#contracts/research/model-cost.ts';
import type { ModelPrices, ModelProfile } from '#contracts/research/model-profile.ts';
import { readConnection } from '#runtime/providers/model/connection.ts';
import { createModel } from '#runtime/providers/model/model.ts';
import { probeModel } from '#runtime/providers/model/probe.ts';
import { readProfiles } from '#runtime/providers/model/profiles.ts';

export type ModelsOptions = {
  /** The profile that makes proposals; null is the extractive engine. */
  readonly config: { readonly model: { readonly profile: string | null; readonly profilesFile: string | null } };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly promptsVersion: string;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type Models = {
  /** Null: no model is configured. */
  readonly port: ModelsPort | null;
  readonly administration: ModelAdministration;
};

const LIMITS = { in_flight: 4, per_minute: null, tokens_per_minute: null, wait_ms: 120_000 };

/** One profile with its endpoint. The key stays inside the port; a profile without one says why it cannot be used. */
type Configured = { readonly profile: ModelProfile; readonly model: ModelPort | Failure };

/**
 * The models of this process. A configured one that cannot be used now stays configured: its tasks fail with the reason, and nothing
 * else steps in. Throws `config.invalid` when the configured profile does not exist.
 */
export async function openModels(options: ModelsOptions): Promise<Models> {
  const { config, logger } = options;
  const profiles = await readProfiles(config.model.profilesFile ?? undefined);
  const configured = new Map<string, Configured>();
  for (const profile of profiles.values()) configured.set(profile.name, await connect(profile, options));
  const chosen = chooseDefault(configured, config.model.profile);
  if (chosen !== null && 'code' in chosen.model)
    logger.warn('the configured model cannot be used', { profile: chosen.profile.name, reason: chosen.model.message });
  return {
    port: chosen === null ? null : portOf(configured, chosen.profile, options.promptsVersion),
    administration: {
      view: () => viewOf(configured, chosen?.profile.name ?? null),
      probe: (name, signal) => probe(configured.get(name), signal),
    },
  };
}

async function connect(profile: ModelProfile, { environment, clock, logger }: ModelsOptions): Promise<Configured> {
  try {
    const connection = await readConnection(profile, environment);
    return { profile, model: createModel({ profile, connection, clock, logger }) };
  } catch (thrown) {
    return { profile, model: toFailure(thrown, 'model.not_configured') };
  }
}

function chooseDefault(configured: ReadonlyMap<string, Configured>, name: string | null): Configured | null {
  if (name === null) return null;
  const names = [...configured.keys()].join(', ');
  return configured.get(name) ?? fail('config.invalid', `YUNSOU_MODEL is not usable: known profiles are ${names}`);
}

function portOf(configured: ReadonlyMap<string, Configured>, chosen: ModelProfile, promptsVersion: string): ModelsPort {
  const find = (name: string): Configured =>
    configured.get(name) ?? fail('model.not_configured', `there is no model profile ${name}`);
  return {
    defaultEngine: () => engineOf(chosen, promptsVersion),
    open(name) {
      const { model } = find(name);
      return 'code' in model ? fail(model.code, model.message) : model;
    },
    limits: (name) => limitsOf(find(name).profile),
  };
}

function limitsOf({ limits = {} }: ModelProfile): ResourceLimits {
  return {
    in_flight: limits.in_flight ?? LIMITS.in_flight,
    per_minute: limits.per_minute ?? LIMITS.per_minute,
    tokens_per_minute: limits.tokens_per_minute ?? LIMITS.tokens_per_minute,
    wait_ms: limits.wait_ms ?? LIMITS.wait_ms,
  };
}

function viewOf(configured: ReadonlyMap<string, Configured>, chosen: string | null): ModelsView {
  const models = [...configured.values()].map(({ profile, model }): ModelView => ({
    profile: profile.name,
    version: profile.version,
    protocol: profile.protocol,
    model: profile.model,
    host: URL.parse(profile.base_url)?.host ?? '',
    context_window: profile.context_window,
    max_output_tokens: profile.max_output_tokens,
    prices: profile.prices === undefined ? null : pricesOf(profile.prices),
    is_default: profile.name === chosen,
    problem: 'code' in model ? { code: model.code, message: model.message } : null,
  }));
  return { engine: chosen === null ? 'extractive' : 'model', models };
}

const pricesOf = ({ currency, version, date, per_million }: ModelPrices) => ({
  currency,
  version,
  date,
  complete: per_million.input !== undefined && per_million.output !== undefined,
});

async function probe(found: Configured | undefined, signal: AbortSignal): Promise<ModelProbeView | null> {
  if (found === undefined) return null;
  const { profile, model } = found;
  const nothing = { profile: profile.name, ok: false, model: null, checks: [], cost: addCosts([]) };
  if ('code' in model) return { ...nothing, problem: { code: model.code, message: model.message } };
  try {
    const report = await probeModel(model, signal);
    return {
      profile: profile.name,
      ok: report.checks.every(({ isMet }) => isMet),
      model: report.model,
      checks: report.checks.map(({ isMet, ...check }) => ({ ...check, is_met: isMet })),
      problem: null,
      cost: addCosts(report.usages.map((usage) => costOf(usage, profile.prices))),
    };
  } catch (thrown) {
    const { code, message } = toFailure(thrown, 'model.unavailable');
    return { ...nothing, problem: { code, message } };
  }
}
