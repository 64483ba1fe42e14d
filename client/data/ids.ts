/** Ids that the client makes before it asks, so that asking twice is asking once. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function randomId(length = 22): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => ALPHABET[byte & 63]).join('');
}

export const newConversationId = (): string => `cnv_${randomId()}`;
export const newClientMessageId = (): string => `cm_${randomId()}`;
export const newRequestId = (): string => `rq_${randomId()}`;
