import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { openDiskStore } from './disk.ts'

test('the store on disk', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-blobs-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const blobs = await openDiskStore(root)
  const put = async (key: string, bytes: string) => {
    const path = blobs.temporaryPath()
    await writeFile(path, bytes)
    await blobs.putFile(key, path)
  }
  const unavailable = (error: unknown) => error instanceof AppError && error.code === 'storage_unavailable'
  const incoming = () => readdir(blobs.incomingDir)

  await t.test('takes a file away and gives its bytes back, whole or in part', async () => {
    await put('originals/ab/one', 'hello world')
    assert.deepEqual(await incoming(), [])
    assert.equal(await blobs.size('originals/ab/one'), 11)
    assert.equal((await buffer(await blobs.read('originals/ab/one'))).toString(), 'hello world')
    assert.equal((await buffer(await blobs.read('originals/ab/one', { start: 6, end: 8 }))).toString(), 'wor')
    await put('originals/ab/one', 'hello world')
  })

  await t.test('appends without touching the base', async () => {
    await blobs.putAppended('sealed', 'originals/ab/one', Buffer.from('!'))
    assert.equal((await buffer(await blobs.read('sealed'))).toString(), 'hello world!')
    assert.equal(await blobs.size('originals/ab/one'), 11)
    await assert.rejects(blobs.putAppended('sealed2', 'gone', Buffer.from('!')), unavailable)
    assert.equal(await blobs.size('sealed2'), undefined)
    assert.deepEqual(await incoming(), [])
  })

  await t.test('knows what is not there', async () => {
    assert.equal(await blobs.size('gone'), undefined)
    await assert.rejects(blobs.read('gone'), unavailable)
    await assert.rejects(blobs.openLocal('gone'), unavailable)
    await blobs.remove('gone')
    await blobs.remove('sealed')
    assert.equal(await blobs.size('sealed'), undefined)
  })

  await t.test('lets no key out of its folder', async () => {
    for (const key of ['../x', 'a/../../x', '/etc/passwd', '', 'a//b', '.', 'a/.b', 'A', 'a\\b', 'a\u0000b'])
      await assert.rejects(async () => blobs.size(key), TypeError, JSON.stringify(key))
  })

  await t.test('folders and files are their owner’s alone', async () => {
    assert.equal((await stat(join(root, 'blobs'))).mode & 0o777, 0o700)
    assert.equal((await stat(join(root, 'blobs/originals/ab'))).mode & 0o777, 0o700)
  })

  await t.test('a failure leaves nothing behind, neither under the key nor on the way', async () => {
    await mkdir(join(root, 'blobs/blocked'))
    await mkdir(join(root, 'blobs/blocked/in-the-way'))
    await assert.rejects(put('blocked/in-the-way', 'x'), unavailable)
    await assert.rejects(put('originals/ab/one/below-a-file', 'x'), unavailable)
    assert.deepEqual(await incoming(), [])
    await blobs.check()
    assert.deepEqual(await incoming(), [])
  })
})
