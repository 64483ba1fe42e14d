// Arrays as the server receives them in binary format: nothing is quoted here and nothing is parsed there.
// Format: array_recv and the *_recv functions of PostgreSQL (src/backend/utils/adt/arrayfuncs.c), the same since 7.4.

const OIDS = { bool: 16, int8: 20, int2: 21, int4: 23, text: 25, json: 114 } as const;
const HEADER_BYTES = 20;
const FIRST_BYTES = 512;
const UINT32 = 2 ** 32;
/** A buffer that grew beyond this is not kept for the next array. */
const KEPT_BYTES = 1024 * 1024;

export type ArrayType = keyof typeof OIDS;
export type Cell = string | number | boolean | null;

/** One column of many rows. Numbers of `int8` are whole and within ±2^53. */
export class BinaryColumn {
  readonly #type: ArrayType;
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #end = HEADER_BYTES;
  #count = 0;
  #hasNull = 0;

  constructor(type: ArrayType) {
    this.#type = type;
  }

  push(value: Cell): void {
    this.#count += 1;
    if (value === null) {
      this.#reserve(4);
      this.#hasNull = 1;
      this.#end = this.#buffer.writeInt32BE(-1, this.#end);
      return;
    }
    if (typeof value === 'string') this.#pushText(value);
    else this.#pushNumber(Number(value));
  }

  clear(): void {
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = Buffer.allocUnsafe(FIRST_BYTES);
    this.#end = HEADER_BYTES;
    this.#count = 0;
    this.#hasNull = 0;
  }

  /** The whole array as a parameter, a copy. */
  take(): Buffer {
    const buffer = this.#buffer;
    buffer.writeInt32BE(1, 0);
    buffer.writeInt32BE(this.#hasNull, 4);
    buffer.writeInt32BE(OIDS[this.#type], 8);
    buffer.writeInt32BE(this.#count, 12);
    buffer.writeInt32BE(1, 16);
    return Buffer.from(buffer.subarray(0, this.#end));
  }

  #pushText(value: string): void {
    // a UTF-16 code unit has at most three bytes in UTF-8
    this.#reserve(4 + value.length * 3);
    const bytes = this.#buffer.write(value, this.#end + 4, 'utf8');
    this.#buffer.writeInt32BE(bytes, this.#end);
    this.#end += 4 + bytes;
  }

  #pushNumber(value: number): void {
    this.#reserve(12);
    const buffer = this.#buffer;
    const at = this.#end;
    switch (this.#type) {
      case 'bool':
        buffer.writeInt32BE(1, at);
        this.#end = buffer.writeUInt8(value, at + 4);
        break;
      case 'int2':
        buffer.writeInt32BE(2, at);
        this.#end = buffer.writeInt16BE(value, at + 4);
        break;
      case 'int4':
        buffer.writeInt32BE(4, at);
        this.#end = buffer.writeInt32BE(value, at + 4);
        break;
      default:
        buffer.writeInt32BE(8, at);
        buffer.writeInt32BE(Math.floor(value / UINT32), at + 4);
        this.#end = buffer.writeUInt32BE(value - Math.floor(value / UINT32) * UINT32, at + 8);
    }
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, needed));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}

export function binaryArray(type: ArrayType, values: readonly Cell[]): Buffer {
  const column = new BinaryColumn(type);
  for (const value of values) column.push(value);
  return column.take();
}
