import { PassThrough, type TransformCallback } from 'node:stream';

/** Lets bytes through as long as `allow` agrees to them; then it ends with an error. */
export class Meter extends PassThrough {
  private readonly allow: (bytes: number) => boolean;

  constructor(allow: (bytes: number) => boolean) {
    super();
    this.allow = allow;
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    if (this.allow(chunk.length)) super._transform(chunk, encoding, done);
    else done(new Error('more bytes than are allowed'));
  }
}
