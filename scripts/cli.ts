type Command = (args: readonly string[]) => Promise<number>;

const USAGE = `usage: npm run cli -- read --file FILE --url URL --json
       npm run cli -- read --batch LIST.jsonl --json
       npm run cli -- verify PACKAGE [--json]
       npm run cli -- probe MODEL [--base-url URL] [--profiles FILE.yaml] [--json]
`;

/** Only the command that is asked for is loaded: the reader alone must not start the rest. */
async function loadCommand(name: string | undefined): Promise<Command | undefined> {
  if (name === 'read') return (await import('./cli/read.ts')).runRead;
  if (name === 'probe') return (await import('./cli/probe.ts')).runProbe;
  if (name !== 'verify') return undefined;
  const path = './cli/verify.ts';
  const loaded = (await import(path)) as { runVerify: Command };
  return loaded.runVerify;
}

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  let command: Command | undefined;
  try {
    command = await loadCommand(name);
  } catch (error) {
    process.stderr.write(
      `The command "${name}" cannot be loaded: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return 1;
  }
  if (command === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  return command(args);
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe may go before everything is written.
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
process.exitCode = await main();
