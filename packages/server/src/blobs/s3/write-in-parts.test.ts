import assert from 'node:assert/strict'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Bucket } from './bucket.ts'
import { partsOfFile } from './write-in-parts.ts'

const GIBIBYTE = 1024 ** 3

test('19.26 a file of hundreds of gibibytes has no more parts than a store takes', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-parts-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'sparse')
  const file = await open(path, 'w')
  const size = 200 * GIBIBYTE + 1
  await file.truncate(size)
  await file.close()
  const sent: number[] = []
  const bucket: Bucket = {
    name: 'b',
    place: (Key) => ({ Bucket: 'b', Key }),
    ask: async (_what, _send, { bytes = 0 } = {}) => {
      sent.push(bytes)
      return '' as never
    },
  }
  for await (const send of partsOfFile(path, size)) {
    await send(bucket, { Bucket: 'b', Key: 'k', UploadId: 'u', PartNumber: sent.length + 1 })
    if (sent.length === 3) break
  }
  const [bytes = 0] = sent
  assert.ok(bytes >= 5 * 1024 ** 2 && bytes <= 5 * GIBIBYTE)
  assert.ok(Math.ceil(size / bytes) <= 10_000, `${Math.ceil(size / bytes)} parts`)
})
