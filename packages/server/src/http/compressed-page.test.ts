import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compressPage } from './compressed-page.ts'

test('a page is compressed once for all who read it so, and a compression that failed is tried again', async () => {
  let compressed = 0
  const failing = async (bytes: Buffer) => {
    compressed += 1
    if (compressed === 1) throw new Error('no memory')
    return Buffer.from(bytes.toString().toUpperCase())
  }
  const page = compressPage(Buffer.from('page'), { br: failing, gzip: failing, identity: failing })
  await assert.rejects(page.read('br'), /no memory/)
  const [first, second] = await Promise.all([page.read('br'), page.read('br')])
  assert.equal(String(first), 'PAGE')
  assert.equal(second, first)
  assert.equal(compressed, 2)
})
