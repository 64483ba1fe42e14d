import * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import { ModelProbeView, ModelsView } from '#contracts/http/models.ts';
import { defineRoute, type Route } from '../route.ts';

const ByName = z.object({ profile: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/) });
const PROBE_MS = 180_000;

const list = defineRoute({
  method: 'get',
  path: '/models',
  summary: 'Which engine makes proposals, and the model profiles there are',
  access: 'signed_in',
  answer: { status: 200, schema: ModelsView, description: 'No keys are among it' },
  handle: async (gateway) => gateway.models.view(),
});

const probe = defineRoute({
  method: 'post',
  path: '/models/:profile/probe',
  summary: 'Hold a profile against its endpoint with a few small calls, which cost what they cost',
  access: 'signed_in',
  params: ByName,
  answer: { status: 200, schema: ModelProbeView, description: 'What was expected and what was found' },
  handle: async (gateway, { params }) => {
    const signal = AbortSignal.any([gateway.closing, AbortSignal.timeout(PROBE_MS)]);
    return (
      (await gateway.models.probe(params.profile, signal)) ??
      fail('resource.not_found', 'there is no such model profile')
    );
  },
});

export const modelRoutes: readonly Route[] = [list, probe];
