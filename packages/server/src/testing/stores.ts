import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStoreOnServer } from '../blobs/blob-store.ts'
import { openDiskStore } from '../blobs/disk.ts'
import { openS3Store, type S3Options } from '../blobs/s3.ts'
import { makeTestBucket, skipWithoutS3, type TestBucket } from './s3.ts'

interface TestContext {
  after(end: () => Promise<void>): unknown
}

/** A store of one test, with the folder it has on the local disk. */
export interface TestStore {
  root: string
  blobs: BlobStoreOnServer
  put(key: string, bytes: string | Uint8Array): Promise<void>
  /** Writes past the store, as somebody does who has the disk or the bucket. */
  spoil(key: string, bytes: Uint8Array): Promise<void>
}

/** Every promise of a store is tested on each. */
export const STORES: { name: string; skip: string | false; open(t: TestContext): Promise<TestStore> }[] = [
  {
    name: 'disk',
    skip: false,
    open: async (t) => {
      const root = await makeRoot(t)
      const blobs = await openDiskStore(root)
      return { root, blobs, put: putInto(blobs), spoil: (key, bytes) => writeFile(join(root, 'blobs', key), bytes) }
    },
  },
  { name: 's3', skip: skipWithoutS3, open: async (t) => openTestS3(t, await makeTestBucket('of/tests')) },
]

/** A store in a bucket; several may be in one. */
export async function openTestS3(
  t: TestContext,
  bucket: TestBucket,
  options: S3Options & { endpoint?: string; root?: string } = {},
): Promise<TestStore> {
  const { endpoint = bucket.settings.endpoint, root = await makeRoot(t), ...others } = options
  const blobs = await openS3Store(root, { ...bucket.settings, endpoint }, others)
  const spoil = (key: string, bytes: Uint8Array) => bucket.write(`${bucket.settings.prefix}${key}`, bytes)
  return { root, blobs, put: putInto(blobs), spoil }
}

async function makeRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-blobs-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

function putInto(blobs: BlobStoreOnServer): TestStore['put'] {
  return async (key, bytes) => {
    const path = blobs.temporaryPath()
    await writeFile(path, bytes)
    await blobs.putFile(key, path)
  }
}
