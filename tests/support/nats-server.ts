import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

export type NatsServer = {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
};

/** A private NATS server on a free port, or on the one of a server that was killed; `null` when the program is not installed. */
export async function startNatsServer(onPort?: number): Promise<NatsServer | null> {
  const port = onPort ?? (await freePort());
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const isReady = await new Promise<boolean>((resolve) => {
    void gone.then(() => resolve(false));
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Server is ready')) resolve(true);
    });
  });
  if (!isReady) return null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await gone;
  };
  return { url: `nats://127.0.0.1:${port}`, port, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
