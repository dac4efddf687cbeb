import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { openCipher, SpoiledBackup, type Cipher } from './cipher.ts'

const SALT = '0'.repeat(32)
const through = (bytes: Uint8Array, stream: ReturnType<Cipher['open']>, piece = bytes.length || 1): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += piece) pieces.push(bytes.subarray(at, at + piece))
  return buffer(Readable.from(pieces).compose(stream))
}

test('what is sealed opens under its name and its key alone, in whatever pieces it comes', async () => {
  const cipher = await openCipher('correct horse', SALT)
  const others = await Promise.all([openCipher('another', SALT), openCipher('correct horse', '1'.repeat(32))])
  for (const size of [0, 1, 16, 17, 1000]) {
    const plain = Buffer.alloc(size, 'x')
    const sealed = await through(plain, cipher.seal('a'))
    assert.equal(sealed.length, 12 + size + 16)
    assert.notDeepEqual(await through(plain, cipher.seal('a')), sealed)
    for (const piece of [1, 7, 13, sealed.length])
      assert.deepEqual(await through(sealed, cipher.open('a'), piece), plain)
    await assert.rejects(through(sealed, cipher.open('b')), SpoiledBackup)
    for (const other of others) await assert.rejects(through(sealed, other.open('a')), SpoiledBackup)
  }
  assert.equal(new Set([cipher, ...others].map(({ check }) => check)).size, 3)
  assert.equal((await openCipher('correct horse', SALT)).check, cipher.check)
})

test('what is cut off at any byte does not open, also where a shorter tag would fit', async () => {
  const cipher = await openCipher('correct horse', SALT)
  for (const plain of [Buffer.alloc(0), Buffer.from('some bytes')]) {
    const sealed = await through(plain, cipher.seal('a'))
    for (let length = 0; length < sealed.length; length += 1)
      await assert.rejects(through(sealed.subarray(0, length), cipher.open('a')), SpoiledBackup, `${length} bytes`)
  }
})

test('where the key is known to be right nobody is sent to look for another passphrase', async () => {
  const { check } = await openCipher('correct horse', SALT)
  const tell = async (known?: string) =>
    through(Buffer.alloc(40), (await openCipher('correct horse', SALT, known)).open('a')).then(
      () => 'opened',
      (error: Error) => error.message,
    )
  assert.equal(await tell(check), 'a is not what was written')
  for (const known of [undefined, 'f'.repeat(32)])
    assert.equal(await tell(known), 'a is not what was written, or the passphrase is another')
})
