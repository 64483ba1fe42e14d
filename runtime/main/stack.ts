export type Stoppable = { stop(): Promise<void> };

/** What was started, to be stopped in reverse order. One part that cannot stop does not keep the others running. */
export class Stack {
  readonly #parts: Stoppable[] = [];
  #stopping: Promise<void> | null = null;

  add<Part extends Stoppable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  stopAll(): Promise<void> {
    this.#stopping ??= this.#stopEach();
    return this.#stopping;
  }

  async #stopEach(): Promise<void> {
    const failures: unknown[] = [];
    for (const part of this.#parts.reverse()) {
      await part.stop().catch((thrown: unknown) => failures.push(thrown));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not every part could be stopped');
  }
}
