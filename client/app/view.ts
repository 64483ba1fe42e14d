/** A piece of the screen: made once, told about each new state, taken down once. */
export interface View<S> {
  readonly element: HTMLElement;
  update(state: S): void;
  destroy(): void;
}
