import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { AppError } from '../../errors.ts'
import type { ByteRange } from '../blob-store.ts'
import { isMissing, toFailure, type Bucket } from './bucket.ts'
import { isPassing } from './insist.ts'

/** A connection that breaks in the middle is taken up again so often, in one reading. */
const MOST_RESUMED = 5

/** What a store says of an object; another one under the same key has another tag. */
export interface ObjectState {
  /** Bytes. */
  size: number
  /** Entity tag, with its quotes. */
  tag: string
  /** Milliseconds since 1970-01-01 UTC. */
  changedAt: number
}

/** @returns undefined when there is none. @throws S3Failure */
export async function findObject(bucket: Bucket, key: string): Promise<ObjectState | undefined> {
  const place = bucket.place(key)
  try {
    return await bucket.ask('HeadObject', async (client, abortSignal) => {
      const { ContentLength, ETag, LastModified } = await client.send(new HeadObjectCommand(place), { abortSignal })
      return { size: ContentLength ?? 0, tag: ETag ?? '', changedAt: LastModified?.getTime() ?? 0 }
    })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * The bytes, or a part of them. What breaks off is taken up again where it broke, of the same object alone, so that the
 * stream ends with the last byte or with an error.
 * @param tag Only of the object that has it.
 * @throws S3Failure. The stream fails with AppError `storage_unavailable`.
 */
export async function readObject(
  bucket: Bucket,
  key: string,
  { range, tag }: { range?: ByteRange | undefined; tag?: string } = {},
): Promise<Readable> {
  const place = bucket.place(key)
  const ask = (from: number, to: number | undefined, IfMatch: string | undefined) => {
    const isWhole = from === 0 && to === undefined
    const Range = isWhole ? undefined : `bytes=${from}-${to ?? ''}`
    return bucket.ask('GetObject', async (client, abortSignal) => {
      const { Body, ContentLength, ETag } = await client.send(new GetObjectCommand({ ...place, Range, IfMatch }), {
        abortSignal,
      })
      if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error('an answer without a body')
      return { body: Body, length: ContentLength, tag: ETag }
    })
  }
  const start = range?.start ?? 0
  const first = await ask(start, range?.end, tag)
  const end = start + first.length
  let { body } = first

  async function* readOn(): AsyncGenerator<Uint8Array> {
    let at = start
    for (let resumed = 0; ; resumed++) {
      try {
        // Ends the request too when the reader goes away.
        for await (const piece of body as AsyncIterable<Uint8Array>) {
          at += piece.length
          yield piece
        }
        if (at >= end) return
      } catch (error) {
        if (!isPassing(error) || resumed === MOST_RESUMED) throw toFailure('GetObject', error)
      }
      if (resumed === MOST_RESUMED) throw new Error('the object ended early')
      ;({ body } = await ask(at, end - 1, first.tag))
    }
  }
  async function* readOrFail(): AsyncGenerator<Uint8Array> {
    try {
      yield* readOn()
    } catch (cause) {
      throw new AppError('storage_unavailable', { cause })
    }
  }
  const stream = Readable.from(readOrFail(), { objectMode: false })
  // A generator that was never begun closes nothing, and the body would keep one of few connections.
  stream.once('close', () => body.destroy())
  return stream
}
