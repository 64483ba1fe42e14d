import type * as z from 'zod';
import { fail, PlatformError } from '#contracts/errors.ts';
import { Command, Subscribe, Unsubscribe } from '#contracts/sockets/protocol.ts';
import { commandTask, TASK_COMMANDS } from '../commands/task-commands.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { assertStorable } from '../http/json-body.ts';
import { DEFECT, statusOf } from '../http/middleware/failure.ts';
import { presentProblem } from '../http/problem.ts';
import { parseInput } from '../http/validate.ts';
import { isInspection, openInspection } from './inspection-subscription.ts';
import { Subscription, type GatewaySocket } from './subscription.ts';
import { serveViews } from './view-handlers.ts';

const MAX_SUBSCRIPTIONS = 64;

type Acknowledge = (answer: { ok: boolean; result?: unknown; problem?: unknown }) => void;

/** Serves one signed-in socket until it goes. */
export function serveSocket(gateway: GatewayDependencies, socket: GatewaySocket): void {
  const subscriptions = new Map<string, { stop(): void }>();
  const leave = (stream: string): void => {
    subscriptions.get(stream)?.stop();
    subscriptions.delete(stream);
  };

  socket.on('subscribe', (body, ack) =>
    answer(gateway, ack, async () => {
      const { stream, after } = parse(Subscribe, body);
      const opened = isInspection(stream)
        ? await openInspection(gateway, socket, stream, after)
        : await openEvents(gateway, socket, stream, Number(after));
      if (!socket.connected) return undefined;
      leave(stream);
      if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
        fail('request.rate_limited', `a socket may read at most ${MAX_SUBSCRIPTIONS} streams`);
      }
      subscriptions.set(stream, opened);
      opened.start();
      return undefined;
    }),
  );
  socket.on('unsubscribe', (body) => {
    const parsed = Unsubscribe.safeParse(body);
    if (parsed.success) leave(parsed.data.stream);
  });
  socket.on('command', (body, ack) =>
    answer(gateway, ack, async () => {
      const { command, task_id: taskId, request_id, body: rest } = parse(Command, body);
      const input = parseInput(TASK_COMMANDS[command].body, { ...rest, request_id }, 'body');
      return commandTask(gateway, { project: socket.data.project, taskId, from: 'socket' }, command, input);
    }),
  );
  const leaveViews = serveViews(gateway, socket, (ack, work) => answer(gateway, ack, work), parse);
  socket.on('disconnect', () => {
    [...subscriptions.keys()].forEach(leave);
    leaveViews();
  });
}

async function openEvents(
  gateway: GatewayDependencies,
  socket: GatewaySocket,
  stream: string,
  after: number,
): Promise<{ start(): void; stop(): void }> {
  const actor = await gateway.client.view(socket.data.project, stream.replace(':', '/'));
  if (actor === null) return fail('resource.not_found', `there is no ${stream}`);
  const subscription = new Subscription(gateway, socket, stream);
  return { start: () => subscription.start(after, actor.eventSeq), stop: () => subscription.stop() };
}

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  assertStorable(body);
  return parseInput(schema, body, 'message');
}

/** Acknowledges with the result or the same problem document as HTTP. A client that wants no answer sends no function. */
function answer(gateway: GatewayDependencies, ack: unknown, work: () => Promise<unknown>): void {
  const acknowledge: Acknowledge = typeof ack === 'function' ? (ack as Acknowledge) : () => undefined;
  work().then(
    (result) => acknowledge(result === undefined ? { ok: true } : { ok: true, result }),
    (thrown: unknown) => {
      const isOnPurpose = thrown instanceof PlatformError;
      if (!isOnPurpose) gateway.logger.error('a socket message failed', { err: thrown });
      const reason = isOnPurpose ? thrown.failure : DEFECT;
      acknowledge({ ok: false, problem: presentProblem(reason, statusOf(reason.code)) });
    },
  );
}
