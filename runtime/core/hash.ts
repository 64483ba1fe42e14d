import { hash32 } from '#contracts/hash.ts';

/** 64 bits as 16 hexadecimal digits; tells definitions apart, protects nothing. */
export function hash64(text: string): string {
  const hex = (part: number) => part.toString(16).padStart(8, '0');
  return hex(hash32(text)) + hex(hash32(text, 0x9e3779b9));
}
