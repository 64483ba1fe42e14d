import type { RoleRunRecord } from '#contracts/actors/role.ts';

/** Something a role is shown. It is named to the model by its key; what the model names back is looked up here and nowhere else. */
export type PackItem = {
  readonly key: string;
  /** Of the stored artifact or the address behind the key. */
  readonly id: string;
  /** Lines above the text that say what it is; written by strangers like the text itself. */
  readonly head: string;
  readonly text: string;
  /** Parts that matter most, best first, for a text that does not fit whole. Absent: its beginning. */
  readonly passages?: readonly { readonly start: number; readonly end: number }[];
};

export type PackedItem = PackItem & { readonly shown: string; readonly truncated: boolean };

/** What was shown of what there was: kept with the run, and told to the model. */
export type PackRecord = NonNullable<RoleRunRecord['pack']>;

export type Packed = { readonly items: readonly PackedItem[]; readonly record: PackRecord };

type Room = {
  /** Of the profile, for the record. */
  readonly windowTokens: number;
  /** What is left of it for the items. */
  readonly tokens: number;
};

/** Less than this of a text is not worth its place. */
const MIN_TOKENS = 250;
/** One text of several never takes more than this share: a word list of megabytes would push all others out. */
const MAX_SHARE = 0.4;
/** For the two lines and the marks around a text. */
const FRAME_TOKENS = 60;
/** Whatever the window holds: a request is stored and sent as one row. */
const MAX_CHARACTERS = 320_000;
const GAP = '\n[…]\n';

/**
 * Tokens of a text, on the safe side for the endpoints' own counting: about three characters of Latin letters, or one of another
 * script, in a token. `bytesOf` is the true upper bound.
 */
export function estimateTokens(text: string): number {
  let latin = 0;
  let other = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) < 0x250) latin += 1;
    else other += 1;
  }
  return Math.ceil(latin / 3 + other * 1.2);
}

/** No tokenizer makes more tokens than there are bytes. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * Fits the items, in their order, into the room: small ones whole, large ones in equal shares, and when the shares would be
 * too small to say anything, the last items not at all.
 */
export function packItems(items: readonly PackItem[], room: Room): Packed {
  const most = Math.max(1, Math.floor(room.tokens / (MIN_TOKENS + FRAME_TOKENS)));
  const wanted = items.map((item) => ({ item, tokens: estimateTokens(item.head) + estimateTokens(item.text) }));
  const small = wanted.reduce((sum, { tokens }) => sum + Math.min(tokens, MIN_TOKENS) + FRAME_TOKENS, 0);
  const kept = small <= room.tokens ? wanted : wanted.slice(0, most);
  const shares = shareOut(
    kept.map(({ tokens }) => tokens),
    Math.max(0, room.tokens - kept.length * FRAME_TOKENS),
  );
  let characters = MAX_CHARACTERS;
  const packed = kept.map(({ item }, index): PackedItem => {
    const shown = shorten(item, (shares[index] ?? 0) - estimateTokens(item.head), Math.max(0, characters));
    characters -= shown.length + item.head.length;
    return { ...item, shown, truncated: shown.length < item.text.length };
  });
  const visible = packed.filter(({ shown, text }) => shown !== '' || text === '');
  return {
    items: visible,
    record: {
      window_tokens: room.windowTokens,
      room_tokens: room.tokens,
      shown: visible.map(({ key, id, text, shown }) => ({
        key,
        id,
        characters: text.length,
        shown_characters: shown.length,
      })),
      left_out: items.filter(({ key }) => !visible.some((other) => other.key === key)).map(({ id }) => id),
    },
  };
}

/** Equal shares of what is left after everybody who needs less got what it needs. */
function shareOut(needs: readonly number[], room: number): number[] {
  const limit = needs.length > 1 ? room * MAX_SHARE : room;
  const shares = needs.map(() => 0);
  const order = needs.map((_, index) => index).sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
  let left = room;
  order.forEach((index, place) => {
    const fair = left / (order.length - place);
    const share = Math.floor(Math.min(needs[index] ?? 0, fair, limit));
    shares[index] = share;
    left -= share;
  });
  return shares;
}

function shorten(item: PackItem, tokens: number, characters: number): string {
  const { text, passages } = item;
  if (text.length <= characters && estimateTokens(text) <= tokens) return text;
  if (passages === undefined || passages.length === 0) return beginning(text, tokens, characters);
  const chosen: { start: number; end: number }[] = [];
  let [leftTokens, leftCharacters] = [tokens, characters];
  for (const { start, end } of passages) {
    const part = text.slice(start, end);
    const cost = estimateTokens(part) + 2;
    if (chosen.some((other) => other.start <= start && end <= other.end)) continue;
    if (cost > leftTokens || part.length + GAP.length > leftCharacters) continue;
    chosen.push({ start, end });
    leftTokens -= cost;
    leftCharacters -= part.length + GAP.length;
  }
  if (chosen.length === 0) return beginning(text, tokens, characters);
  return joinPassages(text, chosen);
}

/** In the order of the text; neighbours with nothing but white space between them stand together as they stood. */
function joinPassages(text: string, chosen: { start: number; end: number }[]): string {
  const ordered = [...chosen].sort((a, b) => a.start - b.start);
  let shown = '';
  let end = -1;
  for (const passage of ordered) {
    if (passage.end <= end) continue;
    const start = Math.max(passage.start, end);
    const between = end < 0 ? null : text.slice(end, start);
    if (between !== null) shown += /^\s*$/u.test(between) ? between : GAP;
    shown += text.slice(start, passage.end);
    end = passage.end;
  }
  return shown;
}

/** Cut where a line or a sentence ends, if that loses little. */
function beginning(text: string, tokens: number, characters: number): string {
  let length = Math.min(text.length, characters);
  while (length > 0) {
    const found = estimateTokens(text.slice(0, length));
    if (found <= tokens) break;
    length = Math.floor((length * Math.max(0, tokens)) / found) - 1;
  }
  if (length <= 0) return '';
  const cut = text.slice(0, length);
  const stop = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf('. '), cut.lastIndexOf('。'));
  const end = stop > length * 0.8 ? stop + 1 : length;
  const last = cut.charCodeAt(end - 1);
  return cut.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}
