import { toFailure } from '#contracts/errors.ts';
import { createReader } from '../reader.ts';
import type { ReadAnswer, ReadQuestion } from './reader-messages.ts';

// The reading process: parses untrusted pages away from everything else. It holds nothing between two pages.

const reader = createReader();

process.on('message', ({ id, page }: ReadQuestion) => {
  const answer = (message: ReadAnswer): void => void process.send?.(message);
  reader.read(page).then(
    (read) => answer({ id, page: read }),
    (thrown: unknown) => answer({ id, failure: toFailure(thrown, 'page.unreadable') }),
  );
});
// Its owner is gone, however that happened.
process.on('disconnect', () => process.exit());
