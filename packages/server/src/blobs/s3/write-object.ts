import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { openHashingStream } from '../hashing-stream.ts'
import { isRefusedByCondition, S3Failure, type Bucket } from './bucket.ts'
import { findObject, readObject } from './read-object.ts'

const OTHER_BYTES = 'other bytes stand under the key'

/** Whether a writing failed because somebody else was first. */
export const isTaken = (error: unknown): boolean => error instanceof S3Failure && error.code === OTHER_BYTES

/** Bytes that are to stand under a key. */
export interface Wanted {
  /** Bytes. */
  size: number
  /** The same again, to compare with what stands there. */
  read: () => Promise<Readable>
}

/**
 * Stores bytes by one request, where nothing stands yet or the same.
 * @throws S3Failure
 */
export async function writeOnce(
  bucket: Bucket,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  wanted: Wanted,
): Promise<void> {
  try {
    const tag = await put(bucket, key, bytes, true)
    await mustStand(bucket, key, wanted.size, tag)
  } catch (error) {
    // Also when an earlier try of ours arrived and its answer was lost.
    if (!isRefusedByCondition(error)) throw error
    await mustBeSame(bucket, key, wanted)
  }
}

/** Stores bytes by one request, in the place of what stands there. @throws S3Failure */
export async function writeOver(bucket: Bucket, key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await put(bucket, key, bytes, false)
}

async function put(
  bucket: Bucket,
  key: string,
  Body: Uint8Array<ArrayBuffer>,
  isOnce: boolean,
): Promise<string | undefined> {
  const place = bucket.place(key)
  const ChecksumSHA256 = Buffer.from(await crypto.subtle.digest('SHA-256', Body)).toString('base64')
  const command = { ...place, Body, ContentLength: Body.length, ChecksumSHA256 }
  const send = async (client: S3Client, abortSignal: AbortSignal) => {
    const request = new PutObjectCommand({ ...command, ...(isOnce && { IfNoneMatch: '*' }) })
    return (await client.send(request, { abortSignal })).ETag
  }
  return bucket.ask('PutObject', send, { bytes: Body.length })
}

/** What was just written is what the store has now. @throws S3Failure */
export async function mustStand(bucket: Bucket, key: string, size: number, tag: string | undefined): Promise<void> {
  const there = await findObject(bucket, key)
  if (there?.size !== size || bareTag(there.tag) !== bareTag(tag))
    throw new S3Failure('HeadObject', 'not what was just written')
}

/** Some answers have it in quotes and others not, in one and the same store. */
const bareTag = (tag: string | undefined) => tag?.replaceAll(/&quot;|"/g, '')

/** @throws S3Failure where other bytes stand under the key, or none. */
export async function mustBeSame(bucket: Bucket, key: string, { size, read }: Wanted): Promise<void> {
  const there = await findObject(bucket, key)
  if (!there) throw new S3Failure('PutObject', 'nothing stands under the key')
  const isSame =
    there.size === size &&
    (await hashOf(await readObject(bucket, key, { tag: there.tag }))) === (await hashOf(await read()))
  if (!isSame) throw new S3Failure('PutObject', OTHER_BYTES)
}

async function hashOf(bytes: Readable): Promise<string> {
  const hashing = openHashingStream()
  bytes.on('error', (error) => hashing.destroy(error))
  for await (const _ of bytes.pipe(hashing));
  return hashing.sha256()
}
