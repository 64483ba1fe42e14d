import { detectCharset, isUtf8 } from './detect-charset.ts';

/** Which charset was used, and what said so. */
export type Decoded = {
  readonly text: string;
  readonly charset: string;
  readonly from: 'bom' | 'header' | 'meta' | 'detected';
};

const SAMPLE_BYTES = 262_144;

function bomOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

/** The encoding that a label names, by the table of the WHATWG encoding standard. */
function knownCharset(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

function headerCharset(contentType: string): string | undefined {
  return knownCharset(/charset\s*=\s*["']?([^\s;"']+)/iu.exec(contentType)?.[1]);
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 8192));
  const found =
    /<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w:.-]+)/iu.exec(head) ??
    /<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/iu.exec(head);
  const charset = knownCharset(found?.[1]);
  // What says so of itself in ASCII cannot be UTF-16.
  return charset?.startsWith('utf-16') === true ? 'utf-8' : charset;
}

function brokenShare(bytes: Uint8Array, charset: string): number {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const text = new TextDecoder(charset).decode(sample);
  let broken = 0;
  let beyondAscii = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0x7f) beyondAscii += 1;
    if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) broken += 1;
  }
  return beyondAscii === 0 ? 0 : broken / beyondAscii;
}

const SINGLE_BYTE = /^(?:windows-125\d|iso-8859-\d+|macintosh|koi8-[ru])$/u;

/** A claim is believed unless the bytes contradict it. */
function isBelievable(bytes: Uint8Array, charset: string): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (charset === 'utf-8') return isUtf8(sample) || brokenShare(bytes, charset) < 0.02;
  if (charset.startsWith('utf-16')) return brokenShare(bytes, charset) < 0.02;
  if (isUtf8(sample) && sample.some((byte) => byte > 0x7f)) return false;
  return SINGLE_BYTE.test(charset) || brokenShare(bytes, charset) < 0.02;
}

/** Bytes → text: byte order mark, header, `meta`, then what the bytes look like. A claim that the bytes contradict is passed over. */
export function decodeBytes(bytes: Uint8Array, contentType: string): Decoded {
  const bom = bomOf(bytes);
  if (bom !== undefined) return { text: new TextDecoder(bom).decode(bytes), charset: bom, from: 'bom' };
  const claims = [
    ['header', headerCharset(contentType)],
    ['meta', metaCharset(bytes)],
  ] as const;
  for (const [from, charset] of claims) {
    if (charset === undefined || !isBelievable(bytes, charset)) continue;
    return { text: new TextDecoder(charset).decode(bytes), charset, from };
  }
  const charset = detectCharset(bytes.subarray(0, SAMPLE_BYTES));
  return { text: new TextDecoder(charset).decode(bytes), charset, from: 'detected' };
}
