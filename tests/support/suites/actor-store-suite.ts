// Contract suite of the ActorStore port: what the in-memory twin and PostgreSQL must both keep.
// Races that need two connections at one instant are in tests/integration/persistence.

import { afterAll, beforeAll, describe } from 'vitest';
import { registerCommitRules } from './actor-store-commit.ts';
import { registerEffectRules } from './actor-store-effects.ts';
import { registerInspectionRules } from './actor-store-inspection.ts';
import { registerLeaseRules } from './actor-store-leases.ts';
import { registerMailRules } from './actor-store-mail.ts';
import { registerReadingRules } from './actor-store-reading.ts';
import { registerTrimmingRules } from './actor-store-trimming.ts';
import type { StoreSubject } from './store-subject.ts';

export function registerActorStoreSuite(name: string, open: () => Promise<StoreSubject>): void {
  describe(`ActorStore: ${name}`, () => {
    let subject: StoreSubject | undefined;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject?.close());
    const current = (): StoreSubject => {
      if (subject === undefined) throw new TypeError('the store is opened before the tests run');
      return subject;
    };
    registerCommitRules(current);
    registerMailRules(current);
    registerEffectRules(current);
    registerLeaseRules(current);
    registerReadingRules(current);
    registerInspectionRules(current);
    registerTrimmingRules(current);
  });
}
