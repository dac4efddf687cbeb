import type { Readable } from 'node:stream'
import type { ScratchFolder } from './scratch-folder.ts'

/** Where backups stand: a folder, or a part of a bucket. Paths are those of `layout.ts`, the same in both. */
export interface Shelf {
  /** For people. */
  name: string
  /** Whether nothing stands there but a lock, and what a file system or a first backup that was broken off leaves. */
  isEmpty(): Promise<boolean>
  /** All paths under this one, however deep. */
  list(under: string): Promise<string[]>
  isThere(path: string): Promise<boolean>
  /** @throws NotOnShelf */
  read(path: string): Promise<Readable>
  /**
   * Puts what comes out of the last of these streams under a path, in the place of what stands there: whole, and when it
   * survives a power cut, or not at all.
   */
  write(path: string, streams: Readonly<Streams>): Promise<void>
  /** Removing what is not there is fine. */
  remove(path: string): Promise<void>
  /** Makes this the one who adds and removes here. @throws InUse where somebody else does. */
  lock(): Promise<ShelfLock>
  /**
   * A local folder for what is not sealed yet; its user removes it.
   * @param isSecret It is to be sealed, so who can read this place, or copies it elsewhere, must not come upon it.
   */
  makeScratch(isSecret: boolean): Promise<ScratchFolder>
}

/** From the first, through all others. */
export type Streams = [Readable, ...NodeJS.ReadWriteStream[]]

export interface ShelfLock {
  /** @throws StartFailure when somebody else took over, because nothing was heard of us for long. */
  mustHold(): Promise<void>
  close(): Promise<void>
}

/** Nothing stands under that path. */
export class NotOnShelf extends Error {
  override readonly name = 'NotOnShelf'
}
