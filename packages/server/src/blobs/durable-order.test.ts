import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { writeDurably, openDurably } from '@proofdesk/certify/write-durably'
import { copyDurably } from '../backup/copy-durably.ts'
import { addErased } from '../secrets/erased-list.ts'
import { makeKeyFile } from '../secrets/key-file.ts'
import { openDiskStore } from './disk.ts'

/** What reaches the disk under a folder, in its order, as `what path`. Everything is still done. */
function watchDisk(t: TestContext, root: string): string[] {
  const steps: string[] = []
  const { open, rename } = fs
  const nameOf = (path: unknown) => relative(root, String(path)) || '.'
  const note = (what: string, path: unknown) => void steps.push(`${what} ${nameOf(path)}`)
  t.mock.method(fs, 'open', async (...args: Parameters<typeof open>) => {
    const file = await open(...args)
    // Each of its writes waits for the disk.
    const isThrough = typeof args[1] === 'number' && (args[1] & fs.constants.O_DSYNC) !== 0
    for (const step of ['write', 'appendFile', 'sync', 'datasync'] as const) {
      const run = file[step].bind(file) as (...values: unknown[]) => Promise<unknown>
      Object.assign(file, {
        [step]: async (...values: unknown[]) => {
          const result = await run(...values)
          note(isThrough && step === 'write' ? 'write through' : step === 'appendFile' ? 'write' : step, args[0])
          return result
        },
      })
    }
    return file
  })
  t.mock.method(fs, 'rename', async (from: string, to: string) => {
    await rename(from, to)
    note('rename', to)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return steps
}

async function makeRoot(t: TestContext): Promise<string> {
  const root = await fs.mkdtemp(join(tmpdir(), 'proofdesk-durable-'))
  t.after(() => fs.rm(root, { recursive: true, force: true }))
  return root
}

test('a file that is written durably has its bytes on the disk before its name, and its name before anybody is told', async (t) => {
  const root = await makeRoot(t)
  const steps = watchDisk(t, root)
  await writeDurably(join(root, 'policy.json'), Buffer.from('{}'))
  assert.deepEqual(steps, ['write through policy.json.part', 'rename policy.json', 'sync .'])
})

test('of a file that is passed on the bytes are on the disk, and whoever moves it makes its name last', async (t) => {
  const root = await makeRoot(t)
  const steps = watchDisk(t, root)
  const file = await openDurably(join(root, 'proof.pdf'))
  await file.append(Buffer.from('first'))
  await file.append(Buffer.from('last'))
  await file.finish(true)
  assert.deepEqual(steps, ['write through proof.pdf.part', 'write through proof.pdf.part', 'rename proof.pdf'])
})

test('a stored file has its bytes on the disk before its name, and its name before anybody is told', async (t) => {
  const root = await makeRoot(t)
  const blobs = await openDiskStore(root)
  const steps = watchDisk(t, root)
  const put = async (key: string, isFlushed?: boolean) => {
    const path = blobs.temporaryPath()
    await fs.writeFile(path, 'bytes')
    steps.length = 0
    await blobs.putFile(key, path, isFlushed)
    return join(basename(dirname(path)), basename(path))
  }
  // The first of its folder: the names of the folders last, too.
  const first = await put('originals/ab/one')
  assert.deepEqual(steps, [
    `sync ${first}`,
    'sync blobs/originals',
    'sync blobs',
    'rename blobs/originals/ab/one',
    'sync blobs/originals/ab',
  ])
  const second = await put('originals/ab/two')
  assert.deepEqual(steps, [`sync ${second}`, 'rename blobs/originals/ab/two', 'sync blobs/originals/ab'])
  // While it is not known yet whether it is to be stored.
  const early = blobs.temporaryPath()
  await fs.writeFile(early, 'bytes')
  steps.length = 0
  await blobs.flushIncoming(early)
  assert.deepEqual(steps, [`sync incoming/${basename(early)}`])
  // Its maker has waited for the disk.
  await put('originals/ab/three', true)
  assert.deepEqual(steps, ['rename blobs/originals/ab/three', 'sync blobs/originals/ab'])

  steps.length = 0
  await blobs.putAppended('originals/ab/four', 'originals/ab/three', Buffer.from('more'))
  assert.deepEqual(
    steps.map((step) => step.split(' ')[0]),
    ['write', 'sync', 'rename', 'sync'],
  )
  assert.deepEqual(steps.slice(-2), ['rename blobs/originals/ab/four', 'sync blobs/originals/ab'])
})

test('a key is on the disk before it has its name, and a line of what is erased before anything is', async (t) => {
  const root = await makeRoot(t)
  const steps = watchDisk(t, root)
  await makeKeyFile(root, 'a.key', 'bytes')
  assert.deepEqual(
    steps.map((step) => step.replace(/\.[0-9a-f]{12}\./, '.')),
    ['sync a.key.part', 'sync .'],
  )
  const erased = { user: { id: 1, mac: 'A'.repeat(43) } }
  steps.length = 0
  await addErased(root, erased)
  assert.deepEqual(steps, ['write erased.list', 'sync erased.list', 'sync .'])
  // Also one that stands there already: whoever wrote it may not have come so far.
  steps.length = 0
  await addErased(root, erased)
  assert.deepEqual(steps, ['sync erased.list', 'sync .'])
})

test('a file of a backup has its name for good before anybody is told', async (t) => {
  const root = await makeRoot(t)
  const steps = watchDisk(t, root)
  await copyDurably([Readable.from([Buffer.from('bytes')])], join(root, 'manifest'))
  assert.deepEqual(steps, ['rename manifest', 'sync .'])
})
