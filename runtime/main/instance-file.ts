import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** How a script finds the product that runs on a data folder. Only its owner may read it: it stands beside the token. */
const Instance = z.object({ url: z.string(), pid: z.int().positive() });

const PROBE_TIMEOUT_MS = 2000;
const PRIVATE_FILE = 0o600;

export type RunningInstance = { readonly url: string; readonly token: string };

const instancePath = (dataDir: string): string => join(dataDir, 'instance.json');
export const apiTokenPath = (dataDir: string): string => join(dataDir, 'keys', 'api-token');

export async function writeInstance(dataDir: string, url: string): Promise<void> {
  await writeFile(instancePath(dataDir), JSON.stringify({ url, pid: process.pid }), { mode: PRIVATE_FILE });
}

/** Leaves the file of a process that came later on the same folder. */
export async function removeInstance(dataDir: string): Promise<void> {
  const path = instancePath(dataDir);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text !== null && Instance.safeParse(parsed(text)).data?.pid === process.pid) await rm(path, { force: true });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The product that answers for this data folder now, or `null`. A file left by a killed process is not believed. */
export async function findInstance(dataDir: string): Promise<RunningInstance | null> {
  try {
    const { url } = Instance.parse(JSON.parse(await readFile(instancePath(dataDir), 'utf8')));
    const token = (await readFile(apiTokenPath(dataDir), 'utf8')).trim();
    const answer = await fetch(`${url}/api/v1/session`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return answer.ok ? { url, token } : null;
  } catch {
    // No file, another format, nobody listening: in each case there is no instance to use.
    return null;
  }
}
