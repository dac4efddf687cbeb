import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { open } from 'node:fs/promises'
import { isMissing, isRefusedByCondition, type Bucket } from './bucket.ts'
import { findObject } from './read-object.ts'
import { mustBeSame, mustStand, type Wanted } from './write-object.ts'

/** The least that a part other than the last may have, and what most of ours have: few bytes are in memory at once. */
export const PART_BYTES = 5 * 1024 * 1024
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const MOST_PARTS = 10_000
/** For the store to put the parts together, in milliseconds. */
const COMPLETE_PATIENCE_MS = 60_000

/** Where a part goes. */
interface PartPlace {
  Bucket: string
  Key: string
  UploadId: string
  PartNumber: number
}

/** Sends one part. @returns its entity tag. */
export type SendPart = (bucket: Bucket, to: PartPlace) => Promise<string>

type Parts = AsyncIterable<SendPart> | Iterable<SendPart>

/**
 * Stores what does not fit into one request, where nothing stands yet or the same. Nothing is seen of it before the last part.
 * @throws S3Failure. Then the store is told to forget the parts.
 */
export async function writeInParts(bucket: Bucket, key: string, parts: Parts, wanted: Wanted): Promise<void> {
  // Not every store minds the condition at the end.
  if (await findObject(bucket, key)) return mustBeSame(bucket, key, wanted)
  await putParts(bucket, key, parts, wanted, { IfNoneMatch: '*' })
}

/** The same in the place of what stands there, which is read until the last part has come. @throws S3Failure */
export async function writeOverInParts(bucket: Bucket, key: string, parts: Parts, wanted: Wanted): Promise<void> {
  await putParts(bucket, key, parts, wanted, {})
}

async function putParts(
  bucket: Bucket,
  key: string,
  parts: Parts,
  wanted: Wanted,
  condition: { IfNoneMatch?: '*' },
): Promise<void> {
  const place = bucket.place(key)
  const UploadId = await bucket.ask('CreateMultipartUpload', async (client, abortSignal) => {
    return (await client.send(new CreateMultipartUploadCommand(place), { abortSignal })).UploadId ?? ''
  })
  const upload = { ...place, UploadId }
  try {
    const Parts: { PartNumber: number; ETag: string }[] = []
    for await (const send of parts) {
      const PartNumber = Parts.length + 1
      Parts.push({ PartNumber, ETag: await send(bucket, { ...upload, PartNumber }) })
    }
    const tag = await bucket.ask(
      'CompleteMultipartUpload',
      async (client, abortSignal) => {
        const request = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...condition })
        return (await client.send(request, { abortSignal })).ETag
      },
      { patienceMs: COMPLETE_PATIENCE_MS },
    )
    if (tag) await mustStand(bucket, key, wanted.size, tag)
    // Ceph 16 does not say here what it has made.
    else await mustBeSame(bucket, key, wanted)
  } catch (error) {
    await bucket
      .ask('AbortMultipartUpload', (client, abortSignal) =>
        client.send(new AbortMultipartUploadCommand(upload), { abortSignal }),
      )
      .catch(() => {})
    // Somebody was first, or an earlier try of ours arrived and its answer was lost.
    if (!isRefusedByCondition(error) && !isMissing(error)) throw error
    await mustBeSame(bucket, key, wanted)
  }
}

/** Parts of a local file, one in memory at a time. */
export async function* partsOfFile(path: string, size: number): AsyncGenerator<SendPart> {
  // Of a database there may be more than fits into so many of the least.
  const partBytes = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS))
  const file = await open(path, 'r')
  try {
    for (let start = 0; start < size; start += partBytes) {
      const bytes = Buffer.alloc(Math.min(partBytes, size - start))
      for (let filled = 0; filled < bytes.length;) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
        if (bytesRead === 0) throw new Error('the file became shorter while it was stored')
        filled += bytesRead
      }
      yield partOfBytes(bytes)
    }
  } finally {
    await file.close()
  }
}

export function partOfBytes(Body: Uint8Array): SendPart {
  const send = (to: PartPlace) => async (client: S3Client, abortSignal: AbortSignal) => {
    const request = new UploadPartCommand({ ...to, Body, ContentLength: Body.length })
    return (await client.send(request, { abortSignal })).ETag ?? ''
  }
  return (bucket, to) => bucket.ask('UploadPart', send(to), { bytes: Body.length })
}

/** A stored object, or a piece of it, that the store copies by itself. */
export function partOfObject(base: string, tag: string): SendPart {
  return (bucket, to) =>
    bucket.ask('UploadPartCopy', async (client, abortSignal) => {
      const from = bucket.place(base)
      const request = new UploadPartCopyCommand({
        ...to,
        CopySource: `${from.Bucket}/${from.Key}`,
        CopySourceIfMatch: tag,
      })
      return (await client.send(request, { abortSignal })).CopyPartResult?.ETag ?? ''
    })
}
