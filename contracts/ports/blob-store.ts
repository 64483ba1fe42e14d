/** Content-addressed immutable bytes; the key is the lower-case SHA-256 of the content. */
export interface BlobStore {
  /** Stores the bytes (atomically: temp file, fsync, rename) and returns their SHA-256. Storing twice is one blob. */
  put(bytes: Uint8Array): Promise<string>;
  get(sha256: string): Promise<Uint8Array | null>;
  /** Bytes that hash to another value than their name throw `blob.unavailable`: a damaged blob never poses as whole. */
  verify(sha256: string): Promise<void>;
}
