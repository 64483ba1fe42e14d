export type SseEvent = { readonly id: string; readonly event: string; readonly data: string };

/** Reads server-sent events of one answer as they come (WHATWG event stream format, the part the product uses). */
export class SseReader {
  readonly events: SseEvent[] = [];
  readonly comments: string[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #leave: AbortController;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #taken = 0;

  constructor(answer: Response, leave: AbortController) {
    if (answer.body === null || answer.status !== 200) throw new Error(`expected a stream, got ${answer.status}`);
    this.#reader = answer.body.getReader();
    this.#leave = leave;
  }

  /** The next `count` events, waiting for them. */
  async take(count: number): Promise<SseEvent[]> {
    while (this.events.length < this.#taken + count) {
      if (!(await this.#readSome())) throw new Error(`the stream ended after ${this.events.length} events`);
    }
    const taken = this.events.slice(this.#taken, this.#taken + count);
    this.#taken += count;
    return taken;
  }

  async untilComments(count: number): Promise<void> {
    while (this.comments.length < count && (await this.#readSome()));
  }

  /** Resolves when the other side ended or cut the stream. */
  async ended(): Promise<void> {
    while (await this.#readSome().catch(() => false));
  }

  leave(): void {
    this.#leave.abort();
  }

  async #readSome(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    const blocks = (this.#rest + this.#decoder.decode(value, { stream: true })).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    blocks.forEach((block) => this.#add(block));
    return true;
  }

  #add(block: string): void {
    if (block.startsWith(':')) this.comments.push(block.slice(1).trim());
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
    if (id !== undefined && event !== undefined && data !== undefined) this.events.push({ id, event, data });
  }
}
