// Bootstrap
//
// The first thing every npm script runs: `node scripts/bootstrap.mjs <command> [arguments]`.
// Plain JavaScript without packages, in syntax that Node 12 can parse, because it runs before anything is checked or installed.
// Owns:     the Node version check, the packages in node_modules, the child process of the command.
// Owns not: what a command does (scripts/<command>.ts), databases, browsers, data folders.
//
//   BO1  An unsuitable Node, an unknown command or an unwritable folder ends in one sentence and exit code 1.
//   BO2  Packages are installed only when node_modules does not answer to package-lock.json; otherwise no network is used.
//   BO3  Of several bootstraps at once in one folder exactly one installs; the others wait. A dead one's lock is taken over.
//   BO4  Arguments reach the command unchanged; its exit code is ours; SIGTERM, SIGINT and SIGHUP reach it.
//   BO5  The command does not outlive the bootstrap or the npm above it: when either is killed, the command is told to terminate.
//   BO6  Nothing but the command writes to standard output.

import { existsSync } from 'fs';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';
import { describeUnsuitableNode } from './bootstrap/node-version.mjs';
import { endWithNpm } from './bootstrap/orphan.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { runCommand } from './bootstrap/child.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function refuse(sentence) {
  process.stderr.write(sentence + '\n');
  process.exit(1);
}

async function main() {
  const unsuitable = describeUnsuitableNode(process.versions.node, process.execPath);
  if (unsuitable) refuse(unsuitable);

  const command = process.argv[2] || '';
  const script = join(root, 'scripts', command + '.ts');
  if (!/^[a-z][a-z0-9-]*$/.test(command) || !existsSync(script)) {
    refuse('There is no command "' + command + '"; see the "scripts" of package.json.');
  }
  endWithNpm();
  const problem = await ensureInstalled(root);
  if (problem) refuse(problem);
  process.exit(await runCommand(root, script, process.argv.slice(3)));
}

main().catch((error) => refuse('Starting failed: ' + (error && error.message ? error.message : error)));
