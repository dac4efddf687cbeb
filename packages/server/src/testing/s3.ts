import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { randomBytes } from 'node:crypto'
import type { StorageSettings } from '../config/storage-settings.ts'
import { findS3 } from './one-s3.ts'
import { hasS3Programs } from './private-s3.ts'

/** For tests that need it: a stated skip where it is not installed, but in `.ci/run`, which installs it. */
export const skipWithoutS3 =
  hasS3Programs || process.env['CI'] ? false : 'radosgw, ceph-mon, ceph-osd and ceph-common (Debian) are not installed'

/** A bucket of one test in a real store, also as somebody sees it who goes there past us. */
export interface TestBucket {
  settings: StorageSettings
  /** As the settings of a server have it. */
  environment: { STORAGE_URL: string; AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string }
  list(): Promise<string[]>
  read(name: string): Promise<Uint8Array>
  write(name: string, bytes: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
  /** Names of objects whose parts were neither put together nor forgotten. */
  listUnfinished(): Promise<string[]>
}

/** @param prefix In front of every key, without a closing slash. */
export async function makeTestBucket(prefix = ''): Promise<TestBucket> {
  const { endpoint, accessKeyId, secretAccessKey } = await findS3()
  const bucket = `test-${randomBytes(8).toString('hex')}`
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  const address = new URL(`s3://${bucket}/${prefix}`)
  address.searchParams.set('endpoint', endpoint)
  return {
    settings: { bucket, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region: 'us-east-1', credentials },
    environment: { STORAGE_URL: address.href, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    list: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
      return Contents.flatMap(({ Key }) => Key ?? [])
    },
    read: async (Key) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }))
      return (await Body?.transformToByteArray()) ?? new Uint8Array()
    },
    write: async (Key, Body) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
    },
    remove: async (Key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
    },
    listUnfinished: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
      return Uploads.flatMap(({ Key }) => Key ?? [])
    },
  }
}
