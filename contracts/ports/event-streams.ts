import type { Json } from './actor-store.ts';

export type StreamEvent = {
  readonly stream: string;
  readonly seq: number;
  readonly type: string;
  readonly data: Json;
  readonly atMs: number;
};

/**
 * Committed, gapless, numbered events of one actor (`task:ID`, `conversation:ID`).
 * `watch` is a hint-driven tail: at-least-once by cursor, in order, never ahead of the commit.
 */
export interface EventStreams {
  read(project: string, stream: string, afterSeq: number, limit: number): Promise<readonly StreamEvent[]>;
  /** Calls `listener` for every event after `afterSeq`, old ones first. Returns the function that stops it. */
  watch(project: string, stream: string, afterSeq: number, listener: (event: StreamEvent) => void): () => void;
}
