import { fail } from '#contracts/errors.ts';
import type { GatewayContext } from './route.ts';

/** The header is optional, but where it stands it must agree with the id in the body: two keys for one request mean a mix-up. */
export function assertIdempotencyKey(ctx: GatewayContext, requestId: string): void {
  const key = ctx.get('Idempotency-Key');
  if (key !== '' && key !== requestId) {
    fail('request.invalid', `Idempotency-Key ${JSON.stringify(key)} is not the id in the body, ${requestId}`);
  }
}
