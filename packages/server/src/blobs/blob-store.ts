import type { Readable } from 'node:stream'

/** A part of a blob: both ends inclusive, as in an HTTP range. */
export interface ByteRange {
  start: number
  end: number
}

/** Stores file bytes by key. Keys are made by us: lower-case letters, digits, `/`, `-` and `.` only. */
export interface BlobStore {
  /**
   * Stores a local file under a key and takes the file away. Returns only when the bytes survive a power cut;
   * repeating it with the same bytes is fine, and no key is ever meant to get others.
   * @throws AppError `storage_unavailable`, also when the disk is full; then nothing counts as stored. What a store that
   *   fell silent may have kept all the same goes with the intent of the key.
   * @param isFlushed Its bytes are on the local disk already: whoever made it has waited for that.
   */
  putFile(key: string, path: string, isFlushed?: boolean): Promise<void>
  /**
   * Begins what `putFile` will wait for, while it is not known yet whether the file is to be stored.
   * @throws AppError like `putFile`: then its bytes may be lost, and it must not be stored.
   */
  flushIncoming(path: string): Promise<void>
  /** `putFile` under a key that is rewritten on purpose: whoever reads it gets the old bytes or the new ones, whole. */
  replaceFile(key: string, path: string): Promise<void>
  /** The bytes of `baseKey` followed by `tail`, stored like `putFile`, without reading `baseKey` into memory. */
  putAppended(key: string, baseKey: string, tail: Uint8Array): Promise<void>
  /** @returns the size in bytes, or undefined when nothing is stored under the key. */
  size(key: string): Promise<number | undefined>
  /**
   * The bytes, or a part of them. The stream closes its file exactly once, also when the reader goes away.
   * @throws AppError `file_missing` when nothing is stored under the key.
   */
  read(key: string, range?: ByteRange): Promise<Readable>
  /**
   * The same of a blob that must be exactly this one; nothing of another is given out. It is read to its end the first
   * time and whenever it was written to since, not each time. What is read again and again comes from memory.
   * @throws AppError `file_altered` when the stored bytes are others; `file_missing`.
   */
  readKnown(key: string, expected: { size: number; sha256: string }, range?: ByteRange): Promise<Readable | Uint8Array>
  /** A local path of the bytes as they are stored now, for a worker to read; `release` when done. @throws AppError `file_missing` */
  openLocal(key: string): Promise<{ path: string; release: () => Promise<void> }>
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>
  /** A free path on the local disk for a file on its way in; the folder exists. */
  temporaryPath(): string
  /** Bytes that may still be stored, as far as the local disk knows. */
  freeBytes(): Promise<number>
  /** @throws when storing is impossible right now. */
  check(): Promise<void>
}

/** With what the server sweeps. */
export interface BlobStoreOnServer extends BlobStore {
  /** Folder of what `temporaryPath` names. */
  incomingDir: string
}
