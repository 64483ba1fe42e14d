// Write corpus
//
// Owns:     the rows of every state of a newly released machine, as files that all later code has to restore.
// Owns not: which states there are (tests/support/models), what a release is (`released.ts` of the actor).
//
//   WC1  A release that has its files keeps them. They are what was; nothing rewrites them.

import { catalogue } from '#actors/catalogue.ts';
import { modelOf } from '#tests/support/models/actor-model.ts';
import { writeCorpus } from '#tests/support/models/corpus.ts';
import { productModels } from '#tests/support/models/product/product-models.ts';

for (const { kind, version } of catalogue) {
  const count = writeCorpus(modelOf(productModels, kind));
  console.log(`${kind} v${version}: ${count === 0 ? 'has its files' : `${count} files written`}`);
}
