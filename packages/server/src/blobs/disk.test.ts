import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  await t.test('folders and files are their owner’s alone', async () => {
    await put('originals/ab/one', 'hello world')
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
