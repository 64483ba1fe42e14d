import type { IncomingMessage } from 'node:http';
import { fail } from '#contracts/errors.ts';

export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_JSON_DEPTH = 32;

const UNSTORABLE = /\p{Surrogate}|\0/u;

/** Reads a JSON body. Throws `request.too_large` and `request.invalid` with a sentence that says what is wrong. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    fail(
      'request.invalid',
      `expected Content-Type application/json, got ${type === '' ? 'none' : JSON.stringify(type)}`,
    );
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    fail('request.invalid', `expected an uncompressed body, got Content-Encoding ${encoding}`);
  return parseJson(await readBytes(request));
}

/** Parses UTF-8 JSON and refuses what cannot be stored or is only ever meant to do harm. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    return fail('request.invalid', 'the body is not valid UTF-8', { cause });
  }
  // Measured before parsing: a parser recurses, and a deep enough text would exhaust its stack.
  if (nestingOf(text) > MAX_JSON_DEPTH)
    fail('request.invalid', `the body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return fail('request.invalid', 'the body is not valid JSON', { cause });
  }
  assertStorable(value);
  return value;
}

/**
 * Refuses NUL and lone surrogates (no database text and no UTF-8 can hold them), the key `__proto__`, and deep nesting.
 * Everything else is data, whatever it looks like.
 */
export function assertStorable(value: unknown, depth = 1): void {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) {
      fail('request.invalid', 'text holds a character that is no text: NUL or half of a surrogate pair');
    }
  } else if (typeof value === 'object' && value !== null) {
    if (depth > MAX_JSON_DEPTH) fail('request.invalid', `the value is nested deeper than ${MAX_JSON_DEPTH} levels`);
    for (const key of Object.keys(value)) {
      if (key === '__proto__') fail('request.invalid', 'the key "__proto__" is refused');
      assertStorable(key, depth);
      assertStorable((value as Record<string, unknown>)[key], depth + 1);
    }
  }
}

function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (isInString) {
      if (char === '\\') i++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest;
}

async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const tooLarge = () => fail('request.too_large', `a body may have at most ${MAX_BODY_BYTES} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
