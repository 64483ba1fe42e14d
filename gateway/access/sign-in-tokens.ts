// Sign-in tokens
//
// One-time keys that `npm start` prints inside a link.
// Owns:     which tokens are still unused; in memory only, as hashes.
// Owns not: sessions (sessions.ts).
//
//   SI1  A token is 256 random bits and works once.
//   SI2  A restart forgets all tokens.

import { createHash, randomBytes } from 'node:crypto';

export type SignInTokens = {
  issue(): string;
  /** True once for each issued token. */
  redeem(token: string): boolean;
};

export function createSignInTokens(): SignInTokens {
  // Kept as digests: a lookup by digest tells a guesser nothing by its duration.
  const unused = new Set<string>();
  const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64');
  return {
    issue() {
      const token = randomBytes(32).toString('base64url');
      unused.add(digestOf(token));
      return token;
    },
    redeem: (token) => unused.delete(digestOf(token)),
  };
}
