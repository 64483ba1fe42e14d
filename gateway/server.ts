import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failure, PlatformError } from '#contracts/errors.ts';

export type ListenOptions = { readonly host: string; readonly port: number };
export type Listening = { readonly host: string; readonly port: number; readonly url: string };

/** Binds the server; port 0 takes a free one. Throws `config.invalid` with one sentence that says what to change. */
export function listen(server: Server, { host, port }: ListenOptions): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void => {
      reject(new PlatformError(failure('config.invalid', reasonOf(cause, host, port)), { cause }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      const bound = server.address() as AddressInfo;
      resolve({ host, port: bound.port, url: `http://${nameOf(host)}:${bound.port}` });
    });
  });
}

function reasonOf(cause: NodeJS.ErrnoException, host: string, port: number): string {
  if (cause.code === 'EADDRINUSE')
    return `port ${port} on ${host} is taken by another program; choose another with PORT`;
  if (cause.code === 'EACCES') return `this user may not listen on port ${port}; choose one above 1023 with PORT`;
  if (cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND')
    return `${host} is no address of this machine; check HOST`;
  return `cannot listen on ${host}:${port}: ${cause.message}`;
}

/** What a browser on this machine opens: an address that means "everywhere" is reached as localhost. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Stops listening and cuts every connection; resolves when the server is closed. Closing twice is closing once. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
