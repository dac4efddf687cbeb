import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashFile } from './hash-file.ts'

test('a file has the same hash with WebCrypto and without', async (t) => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251)
  const withCrypto = await hashFile(bytes)
  assert.match(withCrypto, /^[0-9a-f]{64}$/)
  t.mock.getter(globalThis, 'crypto', () => ({}))
  assert.equal(await hashFile(bytes), withCrypto)
})
