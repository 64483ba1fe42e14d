import { PlatformError } from '#contracts/errors.ts';
import { runLoad } from './bench/load.ts';
import { runQuestions } from './bench/questions.ts';
import { runRead } from './bench/read.ts';
import { runRuntime } from './bench/runtime.ts';
import { runSpecs } from './bench/specs.ts';

type Bench = (args: readonly string[]) => Promise<number>;

const BENCHES: Readonly<Record<string, Bench>> = {
  questions: runQuestions,
  runtime: runRuntime,
  load: runLoad,
  specs: runSpecs,
  read: runRead,
};

const USAGE = `usage: npm run bench -- questions --library DIR --questions FILE [--json] [--limit N] [--pages N]
       npm run bench -- runtime [--concurrency 1,8,64,1000] [--seconds N] [--rounds N] [--database URL] [--json]
              [--html FILE]
       npm run bench -- load [--actors N] [--database URL] [--nats URL] [--json] [--html FILE] [--skip workers,stop,watching]
       npm run bench -- specs --requests FILE [--json] [--show]
       npm run bench -- read --data DIR [--json] [--skip speed,egress] [--pages N]
`;

async function main(): Promise<number> {
  const [name = '', ...args] = process.argv.slice(2);
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (bench !== undefined) return bench(args);
  const isKnownLater = name === 'client';
  process.stderr.write(isKnownLater ? `The measurement "${name}" is not available in this version.\n` : USAGE);
  return isKnownLater ? 1 : 2;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof PlatformError)) throw error;
  process.stderr.write(`${error.failure.message}\n`);
  process.exitCode = 1;
}
