import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay in front of a server that adds one header to every request, for clients that cannot send any. */
export async function startHeaderRelay(targetPort: number, header: string) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    open.add(client).add(target);
    for (const socket of [client, target]) socket.on('error', () => undefined);
    client.once('data', (first: Buffer) => {
      target.write(first.toString('latin1').replace('\r\n', `\r\n${header}\r\n`), 'latin1');
      client.pipe(target);
    });
    target.pipe(client);
    target.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
