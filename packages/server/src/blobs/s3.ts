import { DeleteObjectCommand, HeadBucketCommand } from '@aws-sdk/client-s3'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { StorageSettings } from '../config/storage-settings.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { BlobStoreOnServer, ByteRange } from './blob-store.ts'
import { openIncoming } from './incoming.ts'
import { orUnavailable } from './or-unavailable.ts'
import { isMissing, isRefusedByCondition, openBucket } from './s3/bucket.ts'
import { explainBucket } from './s3/explain-bucket.ts'
import { openFetchedFiles } from './s3/fetched-files.ts'
import { findObject, readObject, type ObjectState } from './s3/read-object.ts'
import {
  PART_BYTES,
  partOfBytes,
  partOfObject,
  partsOfFile,
  writeInParts,
  writeOverInParts,
} from './s3/write-in-parts.ts'
import { writeOnce, writeOver } from './s3/write-object.ts'

/** Copies of stored files, under the root. */
const FETCHED = 'fetched'
/** Bytes of copies kept. */
const FETCHED_BYTES = 1 << 30
/** For the question whether the store is there, in milliseconds: when the server starts, and later. */
const START_MS = 5000
const CHECK_MS = 2000
/** An object may be put anew, with the same bytes, while it is read. */
const READ_TRIES = 3

export interface S3Options {
  /** Bytes of copies kept on the local disk. */
  fetchedBytes?: number
  /** No copy is kept, and none that another process kept is used: every reading reads the object itself. */
  readsAnew?: boolean
  /** For one request with all its repetitions, in milliseconds. */
  patienceMs?: number
  /** Hears of copies that could not be removed. */
  logger?: Logger | undefined
}

/**
 * Files in a bucket of an S3-compatible store. What comes in lies on the local disk until the store has it, and what goes out
 * passes through it, so that nothing is sent before all of it was compared.
 * @throws StartFailure where the bucket is not there or not ours.
 */
export async function openS3Store(
  root: string,
  settings: StorageSettings,
  { fetchedBytes = FETCHED_BYTES, readsAnew = false, patienceMs, logger }: S3Options = {},
): Promise<BlobStoreOnServer> {
  const bucket = openBucket(settings, { patienceMs })
  const askForBucket = (limitMs: number) =>
    bucket.ask(
      'HeadBucket',
      (client, abortSignal) => client.send(new HeadBucketCommand({ Bucket: bucket.name }), { abortSignal }),
      { patienceMs: limitMs },
    )
  await askForBucket(Math.min(START_MS, patienceMs ?? START_MS)).catch((error: unknown) => {
    throw explainBucket(settings, error)
  })
  const incoming = await openIncoming(root)
  const fetched = await openFetchedFiles({
    folder: readsAnew ? incoming.temporaryPath() : join(root, FETCHED),
    incoming,
    limitBytes: readsAnew ? 0 : fetchedBytes,
    fetch: (key, { tag }) => readObject(bucket, key, { tag }),
    logger,
  })

  /** Where the whole bucket is gone, nothing is known of the object. */
  async function explainMissing(): Promise<AppError> {
    await askForBucket(CHECK_MS)
    return new AppError('file_missing')
  }

  async function mustFind(key: string): Promise<ObjectState> {
    const found = await findObject(bucket, key)
    if (!found) throw await explainMissing()
    return found
  }

  async function mustRead(key: string, range?: ByteRange): Promise<Readable> {
    return readObject(bucket, key, { range }).catch(async (cause: unknown) => {
      throw isMissing(cause) ? await explainMissing() : cause
    })
  }

  return {
    incomingDir: incoming.dir,
    temporaryPath: incoming.temporaryPath,
    freeBytes: incoming.freeBytes,

    // It is the bucket's copy that must last.
    flushIncoming: async () => {},

    putFile: (key, path) =>
      orUnavailable(path, async () => {
        const { size } = await stat(path)
        const wanted = { size, read: async () => createReadStream(path) }
        if (size <= PART_BYTES) await writeOnce(bucket, key, await readFile(path), wanted)
        else await writeInParts(bucket, key, partsOfFile(path, size), wanted)
        await rm(path, { force: true })
      }),

    replaceFile: (key, path) =>
      orUnavailable(path, async () => {
        const { size } = await stat(path)
        const wanted = { size, read: async () => createReadStream(path) }
        if (size <= PART_BYTES) await writeOver(bucket, key, await readFile(path))
        else await writeOverInParts(bucket, key, partsOfFile(path, size), wanted)
        await rm(path, { force: true })
      }),

    putAppended: (key, baseKey, tail) =>
      orUnavailable(undefined, async () => {
        const base = await mustFind(baseKey)
        const readBase = () => readObject(bucket, baseKey, { tag: base.tag })
        const wanted = {
          size: base.size + tail.length,
          read: async () => Readable.from(concatenate(await readBase(), tail), { objectMode: false }),
        }
        if (base.size >= PART_BYTES)
          await writeInParts(bucket, key, [partOfObject(baseKey, base.tag), partOfBytes(tail)], wanted)
        else await writeOnce(bucket, key, Buffer.concat([await buffer(await readBase()), tail]), wanted)
      }),

    size: (key) => orUnavailable(undefined, async () => (await findObject(bucket, key))?.size),

    read: (key, range) => orUnavailable(undefined, () => mustRead(key, range)),

    readKnown: (key, expected, range) =>
      orUnavailable(undefined, async () => {
        for (let tries = 1; ; tries++) {
          const state = await mustFind(key)
          if (state.size !== expected.size) throw new AppError('file_altered')
          try {
            return await fetched.read(key, state, expected, range)
          } catch (error) {
            if (!isRefusedByCondition(error) || tries === READ_TRIES) throw error
          }
        }
      }),

    openLocal: (key) => {
      const path = incoming.temporaryPath()
      return orUnavailable(path, async () => {
        await pipeline(await mustRead(key), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
        return { path, release: () => rm(path, { force: true }) }
      })
    },

    remove: (key) =>
      orUnavailable(undefined, async () => {
        const place = bucket.place(key)
        await bucket
          .ask('DeleteObject', (client, abortSignal) => client.send(new DeleteObjectCommand(place), { abortSignal }))
          .catch((error: unknown) => {
            if (!isMissing(error)) throw error
          })
        await fetched.forget(key)
      }),

    check: async () => {
      await Promise.all([incoming.check(), orUnavailable(undefined, () => askForBucket(CHECK_MS))])
    },
  }
}

async function* concatenate(base: Readable, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* base as AsyncIterable<Uint8Array>
  yield tail
}
