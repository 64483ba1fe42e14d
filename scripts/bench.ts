import { PlatformError } from '#contracts/errors.ts';

type Bench = (args: readonly string[]) => Promise<number>;

/** Each is loaded when it is asked for: together they need all that the product needs. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  questions: async () => (await import('./bench/questions.ts')).runQuestions,
  runtime: async () => (await import('./bench/runtime.ts')).runRuntime,
  load: async () => (await import('./bench/load.ts')).runLoad,
  specs: async () => (await import('./bench/specs.ts')).runSpecs,
  read: async () => (await import('./bench/read.ts')).runRead,
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
  if (bench !== undefined) return (await bench())(args);
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
