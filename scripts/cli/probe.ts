import { parseArgs } from 'node:util';
import { PlatformError } from '#contracts/errors.ts';
import { silentLogger } from '#contracts/ports/logger.ts';
import { addCosts, costOf } from '#contracts/research/model-cost.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import { systemClock } from '#runtime/main/system-time.ts';
import { readConnection } from '#runtime/providers/model/connection.ts';
import { createModel } from '#runtime/providers/model/model.ts';
import { probeModel, type ProbeReport } from '#runtime/providers/model/probe.ts';
import { readProfiles } from '#runtime/providers/model/profiles.ts';

const USAGE = `usage: npm run cli -- probe MODEL [--base-url URL] [--profiles FILE.yaml] [--json]
`;

type Options = {
  readonly model: string;
  readonly baseUrl?: string;
  readonly profiles?: string;
  readonly json: boolean;
};
export type ProbeWorld = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

const PROCESS: ProbeWorld = {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

function parseOptions(args: readonly string[]): Options | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'base-url': { type: 'string' },
        profiles: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [model] = positionals;
    if (model === undefined || positionals.length > 1) return null;
    const { 'base-url': baseUrl, profiles, json } = values;
    return {
      model,
      json,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(profiles === undefined ? {} : { profiles }),
    };
  } catch {
    return null;
  }
}

/** `cli probe`: holds a profile against its endpoint. 0 everything as the profile says, 1 not, or it cannot be asked, 2 bad usage. */
export async function runProbe(args: readonly string[], world: ProbeWorld = PROCESS): Promise<number> {
  const options = parseOptions(args);
  if (options === null) {
    world.err(USAGE);
    return 2;
  }
  try {
    const profiles = await readProfiles(options.profiles);
    const profile = profiles.get(options.model);
    if (profile === undefined) {
      world.err(`There is no profile "${options.model}". Known are ${[...profiles.keys()].join(', ')}.\n`);
      return 1;
    }
    const connection = await readConnection(profile, world.environment, options.baseUrl);
    const model = createModel({ profile, connection, clock: systemClock, logger: silentLogger });
    const report = await probeModel(model, new AbortController().signal);
    world.out(options.json ? `${JSON.stringify(report)}\n` : tableOf(profile, connection.baseUrl, report));
    return report.checks.every(({ isMet }) => isMet) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    world.err(`${error.failure.message}\n`);
    return 1;
  }
}

function tableOf(profile: ModelProfile, baseUrl: string, report: ProbeReport): string {
  const rows = [
    ['', 'check', 'profile', 'endpoint'],
    ...report.checks.map(({ isMet, name, expected, found }) => [isMet ? 'ok' : 'NO', name, expected, found]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const bad = report.checks.filter(({ isMet }) => !isMet).length;
  return [
    `${profile.name} (version ${profile.version}, ${profile.protocol}) at ${baseUrl}`,
    `model ${profile.model}, reported as ${report.model ?? 'nothing'}`,
    '',
    ...lines,
    '',
    `cost ${costLine(profile, report)}`,
    bad === 0 ? 'The endpoint does what the profile says.' : `${bad} of ${report.checks.length} checks differ.`,
    '',
  ].join('\n');
}

function costLine({ prices }: ModelProfile, { usages }: ProbeReport): string {
  const { amounts, unknown } = addCosts(usages.map((usage) => costOf(usage, prices)));
  const sums = amounts.map(({ currency, minor }) => `${minor} ${currency} (smallest unit)`).join(' + ');
  if (unknown.length === 0) return sums === '' ? 'none' : sums;
  return `${sums === '' ? '' : `≥ ${sums} + `}unknown (${unknown.join(', ')})`;
}
