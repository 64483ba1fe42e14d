/**
 * Wake hints between processes. Losing, repeating or reordering every message costs latency only: a poll repairs it.
 * Subjects: `mail.<shard>` (somebody has mail), `stream.<project>.<stream>` (new events), `done.<messageId>` (consumed),
 * `watch` (an inspector looks), `inspect.<project>` and `inspect.<project>.<actor>` (what it is told).
 */
export interface Bus {
  publish(subject: string, payload: string): void;
  /** `*` matches one dot-separated token. Returns the function that unsubscribes. */
  subscribe(subject: string, listener: (payload: string, subject: string) => void): () => void;
  close(): Promise<void>;
}
