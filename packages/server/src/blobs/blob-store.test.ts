import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { STORES, type TestStore } from '../testing/stores.ts'
import type { ByteRange } from './blob-store.ts'

const MEBIBYTE = 1024 * 1024
const fails = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
const fingerprint = (bytes: Uint8Array) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

for (const { name, skip, open } of STORES)
  test(`a store keeps its promises (${name})`, { skip }, async (t) => {
    const store: TestStore = await open(t)
    const { blobs, put, spoil } = store
    const incoming = () => readdir(blobs.incomingDir)
    const read = async (key: string, range?: ByteRange) => buffer(await blobs.read(key, range))
    const readKnown = async (key: string, bytes: Uint8Array, range?: ByteRange) => {
      const known = await blobs.readKnown(key, fingerprint(bytes), range)
      return known instanceof Readable ? buffer(known) : Buffer.from(known)
    }
    const large = randomBytes(11 * MEBIBYTE + 7)

    await t.test('19.1 what is stored comes back byte by byte, whole and in part, small and large', async () => {
      await put('originals/ab/one', 'hello world')
      assert.deepEqual(await incoming(), [])
      assert.equal(await blobs.size('originals/ab/one'), 11)
      assert.equal((await read('originals/ab/one')).toString(), 'hello world')
      assert.equal((await read('originals/ab/one', { start: 6, end: 8 })).toString(), 'wor')
      await put('empty', '')
      assert.equal((await read('empty')).length, 0)
      await put('large', large)
      assert.ok((await read('large')).equals(large))
      assert.ok(
        (await readKnown('large', large, { start: 5 * MEBIBYTE, end: large.length - 1 })).equals(
          large.subarray(5 * MEBIBYTE),
        ),
      )
      assert.deepEqual(await incoming(), [])
    })

    await t.test('19.2 storing the same bytes again is fine, small and large', async () => {
      await put('originals/ab/one', 'hello world')
      await put('large', large)
      assert.equal((await read('originals/ab/one')).toString(), 'hello world')
      assert.ok((await read('large')).equals(large))
    })

    await t.test('19.3 bytes are appended to a small file and to a large one, without touching either', async () => {
      await blobs.putAppended('sealed', 'originals/ab/one', Buffer.from('!'))
      assert.equal((await read('sealed')).toString(), 'hello world!')
      assert.equal(await blobs.size('originals/ab/one'), 11)
      await blobs.putAppended('large-sealed', 'large', Buffer.from('the end'))
      assert.ok((await read('large-sealed')).equals(Buffer.concat([large, Buffer.from('the end')])))
      assert.equal(await blobs.size('large'), large.length)
      await assert.rejects(blobs.putAppended('sealed2', 'gone', Buffer.from('!')), fails('file_missing'))
      assert.equal(await blobs.size('sealed2'), undefined)
      assert.deepEqual(await incoming(), [])
    })

    await t.test('19.4 what is not there is told, and removing it is fine', async () => {
      assert.equal(await blobs.size('gone'), undefined)
      await assert.rejects(blobs.read('gone'), fails('file_missing'))
      await assert.rejects(blobs.readKnown('gone', fingerprint(large)), fails('file_missing'))
      await assert.rejects(blobs.openLocal('gone'), fails('file_missing'))
      await blobs.remove('gone')
      await blobs.remove('sealed')
      assert.equal(await blobs.size('sealed'), undefined)
      assert.deepEqual(await incoming(), [])
    })

    await t.test('19.5 no other byte is given out than those of the size and SHA-256 that are asked for', async () => {
      const bytes = Buffer.from('approved, '.repeat(1000))
      await put('known', bytes)
      for (let times = 0; times < 5; times++) assert.ok((await readKnown('known', bytes)).equals(bytes))
      assert.equal((await readKnown('known', bytes, { start: 0, end: 7 })).toString(), 'approved')
      await assert.rejects(readKnown('known', bytes.subarray(1)), fails('file_altered'))
      await assert.rejects(readKnown('known', Buffer.alloc(bytes.length)), fails('file_altered'))
      const altered = Buffer.from(bytes)
      altered[bytes.length - 1] = 0
      await spoil('known', altered)
      await assert.rejects(readKnown('known', bytes, { start: 0, end: 7 }), fails('file_altered'))
      await assert.rejects(readKnown('known', bytes), fails('file_altered'))
      await spoil('known', bytes.subarray(0, 100))
      await assert.rejects(readKnown('known', bytes, { start: 0, end: 7 }), fails('file_altered'))
      await spoil('known', bytes)
      assert.ok((await readKnown('known', bytes)).equals(bytes))
      await blobs.remove('known')
      await assert.rejects(readKnown('known', bytes), fails('file_missing'))
    })

    await t.test('19.6 a worker gets a file of the local disk with the bytes as they are stored', async () => {
      const local = await blobs.openLocal('large')
      assert.ok((await readFile(local.path)).equals(large))
      await local.release()
      assert.equal(await blobs.size('large'), large.length)
      assert.deepEqual(await incoming(), [])
    })

    await t.test('a key that is rewritten on purpose has the last bytes', async () => {
      for (const note of ['first', 'second, longer', 'third']) {
        const aside = blobs.temporaryPath()
        await writeFile(aside, note)
        await blobs.replaceFile('log/guard', aside)
        assert.equal((await read('log/guard')).toString(), note)
      }
      assert.deepEqual(await incoming(), [])
    })

    await t.test('no key reaches out of its place', async () => {
      for (const key of ['../x', 'a/../../x', '/etc/passwd', '', 'a//b', '.', 'a/.b', 'A', 'a\\b', 'a\u0000b'])
        await assert.rejects(async () => blobs.size(key), TypeError, JSON.stringify(key))
    })

    await t.test('it says that it is well', async () => {
      await blobs.check()
      assert.ok((await blobs.freeBytes()) > 0)
      assert.deepEqual(await incoming(), [])
    })
  })
