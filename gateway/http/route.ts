import type Koa from 'koa';
import type * as z from 'zod';
import type { Caller } from '../access/callers.ts';
import type { SignInTokens } from '../access/sign-in-tokens.ts';
import type { Sessions } from '../access/sessions.ts';
import type { GatewayDependencies } from '../dependencies.ts';

/** What routes may use: the ports, and the gateway's own state. */
export type Gateway = GatewayDependencies & {
  readonly sessions: Sessions;
  readonly signInTokens: SignInTokens;
  readonly startedAtMs: number;
  /** Aborted when the gateway closes: endless answers end then. */
  readonly closing: AbortSignal;
};

export type GatewayState = { caller: Caller; project: string };
export type GatewayContext = Koa.ParameterizedContext<GatewayState>;

export type RouteRequest<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly project: string;
  readonly caller: Caller;
  /** For headers and for answers that are no JSON. */
  readonly ctx: GatewayContext;
};

/** What a handler returns when it answered through `ctx` itself: a stream, bytes or a redirect. */
export const ANSWERED = Symbol('answered');

type Schema = z.ZodType;
type Output<S> = S extends Schema ? z.output<S> : undefined;

export type RouteAnswer = {
  readonly status: number;
  /** JSON body; absent for an empty answer or one of another media type. */
  readonly schema?: Schema;
  readonly mediaType?: string;
  readonly description: string;
};

type RouteHead = {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Below `/api/v1`, in the router's syntax: `/tasks/:task_id`. */
  readonly path: string;
  readonly summary: string;
  /** `open` routes answer without a session. */
  readonly access: 'open' | 'signed_in';
  /** Also served without the `/api/v1` prefix. */
  readonly isAlsoAtRoot?: boolean;
  readonly requestHeaders?: readonly { readonly name: string; readonly isRequired: boolean; readonly what: string }[];
  readonly answer: RouteAnswer;
};

export type RouteDefinition<P, Q, B> = RouteHead & {
  /** An id of the wrong form names nothing: 404. */
  readonly params?: P;
  /** Unknown or malformed queries and bodies are 400. */
  readonly query?: Q;
  readonly body?: B;
  handle(gateway: Gateway, request: RouteRequest<Output<P>, Output<Q>, Output<B>>): Promise<unknown>;
};

export type Route = RouteHead & {
  readonly params?: Schema | undefined;
  readonly query?: Schema | undefined;
  readonly body?: Schema | undefined;
  handle(gateway: Gateway, request: RouteRequest<unknown, unknown, unknown>): Promise<unknown>;
};

/** One call of the interface: what it takes, who may call it, what it answers, how. */
export function defineRoute<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(route: RouteDefinition<P, Q, B>): Route {
  // The router parses with the same schemas before it calls `handle`, so the erased types are the real ones.
  return route as unknown as Route;
}
