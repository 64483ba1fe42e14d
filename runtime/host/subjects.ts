/** Subjects of the bus. Every token is escaped, so that no id can act as a separator or a wildcard. */
export const subjects = {
  mail: (shard: number) => `mail.${shard}`,
  anyMail: 'mail.*',
  stream: (project: string, stream: string) => `stream.${escapeToken(project)}.${escapeToken(stream)}`,
  done: (messageId: string) => `done.${escapeToken(messageId)}`,
  fence: 'fence',
  /** Somebody watches. */
  watch: 'watch',
  inspect: (project: string) => `inspect.${escapeToken(project)}`,
  inspectActor: (project: string, address: string) => `inspect.${escapeToken(project)}.${escapeToken(address)}`,
};

function escapeToken(text: string): string {
  return encodeURIComponent(text).replace(/[.*]/g, (character) => (character === '.' ? '%2E' : '%2A'));
}
