import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

export type NatsServer = { readonly url: string; stop(): void };

/** A private NATS server on a free port; `null` when the program is not installed. */
export async function startNatsServer(): Promise<NatsServer | null> {
  const port = await freePort();
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const isReady = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', () => resolve(false));
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Server is ready')) resolve(true);
    });
  });
  if (!isReady) return null;
  return { url: `nats://127.0.0.1:${port}`, stop: () => void child.kill() };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
