import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import type { LogPlace } from '#contracts/ports/actor-store.ts';
import { presentTransition } from '../presenters/actors.ts';
import { ANSWERED, type Gateway, type GatewayContext } from './route.ts';

const PAGE = 500;

type Source = { readonly project: string; readonly address: string; readonly after: LogPlace | null };

/** The log of an actor as lines of JSON, read page by page as fast as the reader takes it. */
export async function answerTransitionLines(gateway: Gateway, ctx: GatewayContext, source: Source) {
  const { project, address, after } = source;
  // the first page is read before the answer begins, so that a failure has a status
  const first = await gateway.inspection.readTransitions(project, address, after, PAGE);
  const out = new PassThrough();
  ctx.status = 200;
  ctx.set('Content-Type', 'application/jsonl; charset=utf-8');
  ctx.set('Content-Disposition', `attachment; filename="${address.replace('/', '-')}.jsonl"`);
  ctx.body = out;
  const write = async (): Promise<void> => {
    for (let page = first; page.length > 0;) {
      const lines = page.map((row) => `${JSON.stringify(presentTransition(address, row))}\n`).join('');
      if (!out.write(lines)) await Promise.race([once(out, 'drain'), once(out, 'close')]);
      const last = page.at(-1);
      if (out.destroyed || last === undefined || page.length < PAGE) break;
      page = await gateway.inspection.readTransitions(project, address, last, PAGE);
    }
    out.end();
  };
  write().catch((err: unknown) => {
    gateway.logger.warn('a log could not be sent whole', { err, address });
    out.destroy();
  });
  return ANSWERED;
}
