import { PlatformError } from '#contracts/errors.ts';
import { readConfig, readFlags, settings } from '#runtime/main/config.ts';

const USAGE = `usage: npm start -- [options]\n${Object.entries(settings)
  .map(
    ([name, { flag, meaning, default: value }]) =>
      `  --${flag.padEnd(10)} ${meaning}${value === '' ? '' : ` (default ${value})`}; or ${name}`,
  )
  .join('\n')}\n`;

async function main(): Promise<void> {
  const { flags, rest } = readFlags(process.argv.slice(2), ['help']);
  if (flags['help'] !== undefined) {
    process.stdout.write(USAGE);
    return;
  }
  if (rest.length > 0) {
    process.stderr.write(`unexpected argument "${rest[0]}"\n${USAGE}`);
    process.exitCode = 1;
    return;
  }
  const startedMs = performance.now();
  const config = readConfig(process.env, flags);
  // Only now: a wrong setting is told at once, without all that a product needs.
  const { startProduct } = await import('#runtime/main/product.ts');
  const { buildClient } = await import('./build-client.ts');
  const options = config.roles.includes('web') ? { clientDir: (await buildClient()).dir } : {};
  const product = await startProduct(config, options);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(
    product.web === null
      ? `Yunsou 云搜 (${product.roles.join(', ')}) is ready after ${seconds} s: ${product.url}/ready\n`
      : `Yunsou 云搜 is ready after ${seconds} s. Open this address once to sign in; stop with Ctrl+C.\n\n  ${product.url}${product.web.signInPath()}\n\n`,
  );
  await new Promise<void>((resolve) => {
    const onSignal = (): void => resolve();
    process.once('SIGINT', onSignal);
    process.once('SIGTERM', onSignal);
    process.once('SIGHUP', onSignal);
  });
  process.stderr.write('stopping: what runs is brought to a safe point\n');
  await product.stop();
}

main().then(
  () => process.exit(),
  (thrown: unknown) => {
    const sentence =
      thrown instanceof PlatformError
        ? thrown.failure.message
        : thrown instanceof Error
          ? (thrown.stack ?? thrown.message)
          : String(thrown);
    process.stderr.write(`Yunsou could not start: ${sentence}\n`);
    process.exit(1);
  },
);
