import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Bucket } from './bucket.ts'
import { readObject } from './read-object.ts'

/** A bucket that answers every request with this. */
function openFakeBucket(body: PassThrough): Bucket {
  const client = { send: async () => ({ Body: body, ContentLength: 10, ETag: '"tag"' }) }
  return {
    name: 'fake',
    place: (key) => ({ Bucket: 'fake', Key: key }),
    ask: (_what, send) => send(client as unknown as S3Client, new AbortController().signal),
  }
}

test('19.17 a reading that ends before its first byte was asked for lets go of its connection', async () => {
  const body = new PassThrough()
  const stream = await readObject(openFakeBucket(body), 'one')
  stream.destroy()
  await once(stream, 'close')
  assert.ok(body.destroyed)
})
