import type { LimiterState } from './contract.ts';

export const viewLimiter = ({ resource, in_flight, permits, queue }: LimiterState) => ({
  resource,
  in_flight,
  held: permits.length,
  waiting: queue.length,
});
