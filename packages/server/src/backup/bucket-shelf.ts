import { DeleteObjectCommand, HeadBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMissing, openBucket, type Bucket } from '../blobs/s3/bucket.ts'
import { explainBucket } from '../blobs/s3/explain-bucket.ts'
import { findAge } from '../blobs/s3/object-age.ts'
import { findObject, readObject } from '../blobs/s3/read-object.ts'
import { PART_BYTES, partsOfFile, writeInParts } from '../blobs/s3/write-in-parts.ts'
import { isTaken, writeOnce, writeOver } from '../blobs/s3/write-object.ts'
import { InUse, StartFailure } from '../config/start-failure.ts'
import type { StorageSettings } from '../config/storage-settings.ts'
import type { LockFolder } from './lock-folder.ts'
import { makeScratchFolder } from './scratch-folder.ts'
import { NotOnShelf, type Shelf, type ShelfLock } from './shelf.ts'

const LOCK = 'lock'
/** Whoever adds a backup says so often that it still does. In milliseconds. */
const HEARTBEAT_MS = 60_000
const SILENT_MS = 10 * HEARTBEAT_MS
/** Another who takes the same lock over may have looked at it before us, and not removed it yet. */
const TAKE_OVER_MS = 4000

interface LockTimes {
  /** After how long a lock that nobody has touched is taken for left by a crash, in milliseconds. */
  silentMs?: number | undefined
  /** How often whoever holds it touches it. */
  beatMs?: number | undefined
}

/** Of a path on the shelf; no more than `layout.ts` has. What else stands there is not ours, and no concern of ours. */
const PATH = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/**
 * A part of a bucket of an S3-compatible store.
 * @param lockFolder For local folders of what is not there yet.
 * @throws StartFailure where the bucket is not there or not ours.
 */
export async function openBucketShelf(
  settings: StorageSettings,
  lockFolder: LockFolder,
  { silentMs = SILENT_MS, beatMs = HEARTBEAT_MS }: LockTimes = {},
): Promise<Shelf> {
  const bucket = openBucket(settings, { checkKey: mustBePath })
  await bucket
    .ask('HeadBucket', (client, abortSignal) =>
      client.send(new HeadBucketCommand({ Bucket: bucket.name }), { abortSignal }),
    )
    .catch((error: unknown) => {
      throw explainBucket(settings, error, 'backups')
    })

  async function* listAll(under: string): AsyncGenerator<string> {
    let after: string | undefined
    do {
      const page = await bucket.ask('ListObjectsV2', (client, abortSignal) =>
        client.send(
          new ListObjectsV2Command({
            Bucket: bucket.name,
            Prefix: settings.prefix + under,
            ContinuationToken: after,
          }),
          { abortSignal },
        ),
      )
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key.slice(settings.prefix.length)
      after = page.NextContinuationToken
    } while (after !== undefined)
  }

  async function remove(path: string): Promise<void> {
    const place = bucket.place(path)
    await bucket
      .ask('DeleteObject', (client, abortSignal) => client.send(new DeleteObjectCommand(place), { abortSignal }))
      .catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
  }

  const makeScratch = () => makeScratchFolder(tmpdir(), 'proofdesk-backup-', lockFolder)

  return {
    name: `s3://${settings.bucket}/${settings.prefix}`,
    isEmpty: async () => {
      for await (const path of listAll('')) if (path !== LOCK && !isFolder(path)) return false
      return true
    },
    list: async (under) => (await Array.fromAsync(listAll(`${under}/`))).filter((path) => PATH.test(path)),
    isThere: async (path) => (await findObject(bucket, path)) !== undefined,
    read: (path) =>
      readObject(bucket, path).catch((cause: unknown) => {
        throw isMissing(cause) ? new NotOnShelf(path, { cause }) : cause
      }),
    write: async (path, streams) => {
      const scratch = await makeScratch()
      try {
        const aside = join(scratch.path, 'sealed')
        await pipeline([...streams, createWriteStream(aside, { flags: 'wx', mode: 0o600 })])
        // Left by a backup that was broken off: what is sealed twice is never the same twice.
        if (await findObject(bucket, path)) await remove(path)
        const { size } = await stat(aside)
        const wanted = { size, read: async () => createReadStream(aside) }
        if (size <= PART_BYTES) await writeOnce(bucket, path, await readFile(aside), wanted)
        else await writeInParts(bucket, path, partsOfFile(aside, size), wanted)
      } finally {
        await scratch.remove()
      }
    },
    remove,
    lock: () => lockBucket(bucket, remove, { silentMs, beatMs }),
    makeScratch,
  }
}

/** An object that is there as long as somebody works here; one that nobody has touched for long was left by a crash. */
async function lockBucket(
  bucket: Bucket,
  remove: (path: string) => Promise<void>,
  { silentMs, beatMs }: { silentMs: number; beatMs: number },
): Promise<ShelfLock> {
  const mine = randomBytes(16).toString('hex')
  const bytes = Buffer.from(mine)
  const inUse = new InUse('The bucket is in use: another backup is being added to it')
  const age = await findAge(bucket, LOCK)
  if (age !== undefined && age < silentMs) throw inUse
  if (age !== undefined) await remove(LOCK)
  await writeOnce(bucket, LOCK, bytes, { size: bytes.length, read: async () => Readable.from([bytes]) }).catch(
    (cause: unknown) => {
      throw isTaken(cause) ? inUse : cause
    },
  )
  const isMine = async () =>
    (await findObject(bucket, LOCK)) !== undefined && (await text(await readObject(bucket, LOCK))) === mine
  const mustHold = async () => {
    if (!(await isMine())) throw new StartFailure('Another backup took over: this one was not heard of for too long')
  }
  if (age !== undefined) {
    await sleep(TAKE_OVER_MS)
    if (!(await isMine())) throw inUse
  }
  const touch = async () => {
    if (await isMine()) await writeOver(bucket, LOCK, bytes)
  }
  let touching: Promise<void> | undefined
  const beating = setInterval(() => {
    // When it cannot be said, the next time will do.
    touching ??= touch()
      .catch(() => {})
      .finally(() => {
        touching = undefined
      })
  }, beatMs)
  beating.unref()
  return {
    mustHold,
    close: async () => {
      clearInterval(beating)
      // It would put the lock back after it was removed.
      await touching
      if (await isMine()) await remove(LOCK)
    },
  }
}

/** Consoles of stores show folders, and write an empty object for one that is made there. */
function isFolder(path: string): boolean {
  return path === '' || path.endsWith('/')
}

function mustBePath(path: string): string {
  if (!PATH.test(path)) throw new TypeError('a path of a backup has letters, digits, "/", "-", "_" and "." only')
  return path
}
