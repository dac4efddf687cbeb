import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { openDiskStore } from './disk.ts'
import { isFullDisk } from './or-unavailable.ts'

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

  await t.test('folders and files are their owner’s alone', async () => {
    await put('originals/ab/one', 'hello world')
    assert.equal((await stat(join(root, 'blobs'))).mode & 0o777, 0o700)
    assert.equal((await stat(blobs.incomingDir)).mode & 0o777, 0o700)
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

  await t.test('what cannot be removed is told', async () => {
    await mkdir(join(root, 'blobs/folder/inner'), { recursive: true })
    await assert.rejects(blobs.remove('folder/inner'), unavailable)
    await blobs.remove('folder/none')
    await blobs.remove('none/none')
  })

  await t.test('of a disk that is not there nothing is known: its files are not called missing', async () => {
    await put('originals/ab/two', 'two')
    await rename(join(root, 'blobs'), join(root, 'away'))
    const known = { size: 3, sha256: '0'.repeat(64) }
    for (const read of [
      () => blobs.read('originals/ab/two'),
      () => blobs.readKnown('originals/ab/two', known),
      () => blobs.openLocal('originals/ab/two'),
      () => blobs.check(),
    ])
      await assert.rejects(read(), unavailable)
    await rename(join(root, 'away'), join(root, 'blobs'))
    await assert.rejects(blobs.read('originals/ab/three'), { code: 'file_missing' })
    await assert.rejects(blobs.openLocal('originals/ab/three'), { code: 'file_missing' })
    await blobs.check()
  })
})

test('a disk is full, or what its owner may have of it', () => {
  const isFull = (code: string) => isFullDisk(Object.assign(new Error(code), { code }))
  assert.deepEqual(['ENOSPC', 'EDQUOT', 'EIO', 'XENOSPC'].map(isFull), [true, true, false, false])
  assert.equal(isFullDisk({ code: 'ENOSPC' }), false)
})
