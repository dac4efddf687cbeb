import { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { BlobStore } from './blob-store.ts'

/** What was to be read failed, and not what it is written to; the cause says why. */
export class ReadFailure extends Error {
  override readonly name = 'ReadFailure'
}

/**
 * Opens a reading whose failures are told from those of what the bytes go to, also where both are parts of one pipeline.
 * @throws ReadFailure, as the stream does later
 */
export async function readApart(read: () => Promise<Readable>): Promise<Readable> {
  const source = await read().catch((cause: unknown) => {
    throw toFailure(cause)
  })
  async function* readOrFail(): AsyncGenerator<Uint8Array> {
    try {
      yield* source as AsyncIterable<Uint8Array>
    } catch (cause) {
      throw toFailure(cause)
    }
  }
  const apart = Readable.from(readOrFail(), { objectMode: false })
  // A generator that was never begun closes nothing.
  apart.once('close', () => source.destroy())
  return apart
}

/**
 * Why a stored file could not be read: a store that is well but for it has a bad spot on its disk, or lost it.
 * @throws what says nothing about the file
 */
export async function explainUnread(
  blobs: Pick<BlobStore, 'check'>,
  error: unknown,
): Promise<'missing' | 'unreadable'> {
  if (!(error instanceof ReadFailure)) throw error
  if (error.cause instanceof AppError && error.cause.code === 'file_missing') return 'missing'
  await blobs.check()
  return 'unreadable'
}

function toFailure(cause: unknown): ReadFailure {
  return new ReadFailure('it cannot be read', { cause })
}
