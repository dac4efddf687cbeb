import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { openHashingStream } from './hashing-stream.ts'

test('bytes pass unchanged while their SHA-256 is taken', async () => {
  for (const size of [0, 1, 65_536, 700_001]) {
    const bytes = randomBytes(size)
    const hashing = openHashingStream()
    const passed = await buffer(Readable.from(cut(bytes, 60_001), { objectMode: false }).pipe(hashing))
    assert.ok(passed.equals(bytes))
    assert.equal(hashing.sha256(), createHash('sha256').update(bytes).digest('hex'))
  }
})

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
