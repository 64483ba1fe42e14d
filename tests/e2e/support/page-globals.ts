/** The few names of a page that test functions use inside it; this side of the project has no DOM library. */
export type PageElement = {
  readonly className: string;
  readonly lang: string;
  readonly scrollWidth: number;
  readonly textContent: string | null;
  readonly classList: { contains(name: string): boolean };
  getAttribute(name: string): string | null;
  click(): void;
};
export type PageGlobals = {
  readonly navigator: { readonly clipboard: { writeText(text: string): Promise<void> } };
  readonly innerWidth: number;
  readonly innerHeight: number;
  readonly document: {
    readonly documentElement: PageElement;
    readonly activeElement: PageElement | null;
    querySelector(selector: string): PageElement | null;
    querySelectorAll(selector: string): ArrayLike<PageElement>;
    createRange(): {
      setStartBefore(node: PageElement): void;
      setEndAfter(node: PageElement): void;
      toString(): string;
    };
  };
  readonly KeyboardEvent: new (type: string, init: object) => object;
  readonly CompositionEvent: new (type: string) => object;
  readonly MutationObserver: new (changed: () => void) => { observe(node: PageElement, options: object): void };
  hit?: number;
  said?: string[];
};
