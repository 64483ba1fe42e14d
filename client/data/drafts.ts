import type { KeyValueStorage } from './storage.ts';

/*
 * Unsent text, one draft a conversation (and one for the box on the first screen). Survives reload.
 *   1. A draft is cleared by the id of the send that took it, never by time: text typed after the send stays.
 *   2. A send that failed gives its text back only into an empty box.
 */

export type Drafts = {
  read(place: string): string;
  write(place: string, text: string): void;
  /** Marks `text` as taken by `sendId` and empties the box. */
  take(place: string, sendId: string, text: string): void;
  /** Returns the text that stands in the box afterwards. */
  giveBack(place: string, text: string): string;
};

/** The place of the box that starts a new conversation. */
export const NEW_CONVERSATION_PLACE = 'new';
const PREFIX = 'yunsou.draft.';

export function createDrafts(storage: Pick<KeyValueStorage, 'getItem' | 'setItem' | 'removeItem'>): Drafts {
  const read = (place: string): string => storage.getItem(PREFIX + place) ?? '';
  const write = (place: string, text: string): void => {
    if (text === '') storage.removeItem(PREFIX + place);
    else storage.setItem(PREFIX + place, text);
  };
  const taken = new Set<string>();
  return {
    read,
    write,
    take(place, sendId, text) {
      if (taken.has(sendId)) return;
      taken.add(sendId);
      if (read(place) === text) write(place, '');
    },
    giveBack(place, text) {
      const present = read(place);
      const next = present.trim() === '' ? text : present;
      write(place, next);
      return next;
    },
  };
}
