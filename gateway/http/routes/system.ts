import { Health, Ready } from '#contracts/http/system.ts';
import { ANSWERED, defineRoute, type Gateway, type Route } from '../route.ts';

const health = defineRoute({
  method: 'get',
  path: '/health',
  summary: 'Whether the process answers',
  access: 'open',
  isAlsoAtRoot: true,
  answer: { status: 200, schema: Health, description: 'It does' },
  handle: async (gateway) => ({
    status: 'ok',
    version: gateway.version,
    uptime_s: Math.max(0, (gateway.clock.nowMs() - gateway.startedAtMs) / 1000),
  }),
});

const ready = defineRoute({
  method: 'get',
  path: '/ready',
  summary: 'Whether a question could be answered now: the database asked, the browser started',
  access: 'open',
  isAlsoAtRoot: true,
  answer: { status: 200, schema: Ready, description: 'Ready; 503 with the same body when not' },
  handle: async (gateway, { ctx }) => {
    const state = await gateway.ready();
    ctx.body = gateway.checkAnswers === true ? Ready.parse(state) : state;
    ctx.status = state.ready ? 200 : 503;
    return ANSWERED;
  },
});

const metrics = defineRoute({
  method: 'get',
  path: '/metrics',
  summary: 'Figures in the Prometheus text format',
  access: 'signed_in',
  isAlsoAtRoot: true,
  answer: { status: 200, mediaType: 'text/plain', description: 'Prometheus text format 0.0.4' },
  handle: async (gateway: Gateway, { ctx }) => {
    ctx.status = 200;
    ctx.body = await gateway.metrics();
    ctx.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    return ANSWERED;
  },
});

export const systemRoutes: readonly Route[] = [health, ready, metrics];
