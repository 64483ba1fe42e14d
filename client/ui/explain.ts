import type { Catalogue } from '../i18n/en.ts';

type PlainText = { [K in keyof Catalogue]: Catalogue[K] extends string ? K : never }[keyof Catalogue];

/** Longest prefix wins: `browser.timeout` before `browser.`. */
const MEANINGS: Readonly<Record<string, PlainText>> = {
  'network.unreachable': 'errorNetwork',
  'request.unauthenticated': 'errorUnauthenticated',
  'request.forbidden': 'errorForbidden',
  'request.rate_limited': 'errorRateLimited',
  'request.too_large': 'errorTooLarge',
  'request.invalid': 'errorInvalid',
  'request.conflict': 'errorConflict',
  'request.precondition': 'errorConflict',
  'resource.': 'errorNotFound',
  'actor.not_found': 'errorNotFound',
  'actor.ignored': 'errorAlreadyOver',
  'actor.done': 'errorAlreadyOver',
  'actor.': 'errorUnavailable',
  'commit.': 'errorUnavailable',
  'store.': 'errorUnavailable',
  'blob.': 'errorUnavailable',
  'browser.': 'errorBrowser',
  'search.': 'errorSearch',
  'model.not_configured': 'errorModelMissing',
  'model.unauthenticated': 'errorModelKey',
  'model.overloaded': 'errorModelBusy',
  'model.rate_limited': 'errorModelBusy',
  'model.': 'errorModel',
  'library.not_approved': 'errorNotApproved',
  'library.unreadable': 'errorUnreadable',
  'mode.not_available': 'errorModeNotAvailable',
  'evidence.insufficient': 'errorInsufficient',
  'plan.empty': 'errorInsufficient',
};

/** What went wrong, in the reader's language. The server's own words are details, shown beside it. */
export function explainCode(code: string, texts: Catalogue): string {
  const prefix = Object.keys(MEANINGS)
    .filter((one) => code.startsWith(one))
    .toSorted((a, b) => b.length - a.length)[0];
  const key = prefix === undefined ? undefined : MEANINGS[prefix];
  return key === undefined ? texts.errorUnknown(code) : texts[key];
}
