// Reads data that stands in scripts, as data: nothing is ever run.
//
// A page's script may hold objects in JavaScript's spelling (single quotes, bare keys, trailing commas, `undefined`, `!0`).
// What is no plain data (a call, a function, an expression) ends the reading of that object.

const MAX_DEPTH = 60;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0' };
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  undefined: null,
  NaN: null,
  '!0': true,
  '!1': false,
  'void 0': null,
};
const WORD = /(?:true|false|null|undefined|NaN|!0|!1|void 0)(?![\w$])/uy;
const NUMBER = /-?(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/uy;
const NAME = /[\p{L}_$][\p{L}\d_$-]*|\d+/uy;
const BLANK = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)+/uy;

class NoData extends SyntaxError {}

class Cursor {
  at: number;
  private readonly source: string;

  constructor(source: string, at: number) {
    this.source = source;
    this.at = at;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private next(): string {
    this.match(BLANK);
    return this.source.charAt(this.at);
  }

  private take(mark: string): boolean {
    if (this.next() !== mark) return false;
    this.at += 1;
    return true;
  }

  private text(quote: string): string {
    let text = '';
    let from = this.at;
    for (; this.at < this.source.length; this.at += 1) {
      const character = this.source.charAt(this.at);
      if (character === quote) {
        text += this.source.slice(from, this.at);
        this.at += 1;
        return text;
      }
      if (character !== '\\') continue;
      text += this.source.slice(from, this.at) + this.escape();
      from = this.at + 1;
    }
    throw new NoData('a text without an end');
  }

  /** Stands on the backslash before and on the last character of the escape after. */
  private escape(): string {
    this.at += 1;
    const mark = this.source.charAt(this.at);
    const length = mark === 'u' ? 4 : mark === 'x' ? 2 : 0;
    if (length === 0) return ESCAPES[mark] ?? (mark === '\n' ? '' : mark);
    const digits = this.source.slice(this.at + 1, this.at + 1 + length);
    if (!/^[\da-f]+$/iu.test(digits)) return mark;
    this.at += length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private list(depth: number): unknown[] {
    const items: unknown[] = [];
    while (!this.take(']')) {
      items.push(this.value(depth + 1));
      if (!this.take(',') && this.next() !== ']') throw new NoData('a list goes on strangely');
    }
    return items;
  }

  private record(depth: number): Record<string, unknown> {
    const record = Object.create(null) as Record<string, unknown>;
    while (!this.take('}')) {
      const quote = this.next();
      let key: string | undefined;
      if (quote === '"' || quote === "'") {
        this.at += 1;
        key = this.text(quote);
      } else key = this.match(NAME);
      if (key === undefined || !this.take(':')) throw new NoData('a key without a value');
      record[key] = this.value(depth + 1);
      if (!this.take(',') && this.next() !== '}') throw new NoData('an object goes on strangely');
    }
    return record;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NoData('nested too deep');
    const mark = this.next();
    if (mark === '{' || mark === '[') {
      this.at += 1;
      return mark === '{' ? this.record(depth) : this.list(depth);
    }
    if (mark === '"' || mark === "'") {
      this.at += 1;
      return this.text(mark);
    }
    const word = this.match(WORD);
    if (word !== undefined) return WORDS[word];
    const number = this.match(NUMBER);
    if (number !== undefined) return Number(number);
    throw new NoData('no data');
  }
}

/** The value that begins at `start` and where its reading ended; `isData` is false when it turned out to be no plain data. */
export function looseValue(
  source: string,
  start: number,
): { readonly value: unknown; readonly end: number; readonly isData: boolean } {
  const cursor = new Cursor(source, start);
  try {
    const value = cursor.value(0);
    return { value, end: cursor.at, isData: true };
  } catch (error) {
    if (!(error instanceof NoData)) throw error;
    return { value: undefined, end: cursor.at, isData: false };
  }
}
