import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { startTestServer } from '../testing.ts'
import { copyStopped, runCommand } from '../testing/stopped-installation.ts'

const SECRET = { BACKUP_PASSPHRASE: 'correct horse battery staple' }

async function startWithRoot(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-fresh-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const server = await startTestServer(t, 'sqlite')
  await server.settle()
  // A server that runs goes on signing heads of its log beside the keys.
  return { root, settings: await copyStopped(server, join(root, 'installation')) }
}

/** As the root of a disk has it, where the system has found something again. */
async function makeFoundAgain(folder: string): Promise<void> {
  await mkdir(join(folder, 'lost+found'), { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'lost+found', '#1234'), 'found')
}

test('18.35 the root of a fresh disk takes a first backup, also after one that was broken off', async (t) => {
  const { root, settings } = await startWithRoot(t)
  const target = join(root, 'disk')
  await makeFoundAgain(target)
  await writeFile(join(target, 'backup.json.0a1b2c3d4e5f.part'), '{"type":')
  for (const name of ['scratch-Xy12ab', '.scratch-Zz34cd']) await mkdir(join(target, name))
  for (let n = 0; n < 2; n++) {
    const { status, err } = await runCommand(['backup', target], settings)
    assert.deepEqual([status, err], [0, ''])
  }
  assert.equal((await runCommand(['drill', target], settings)).status, 0)
})

test('18.35 a folder that holds something else is not written to, and it is said what to take', async (t) => {
  const { root, settings } = await startWithRoot(t)
  const target = join(root, 'pictures')
  await makeFoundAgain(target)
  await writeFile(join(target, 'holiday.jpg'), 'a picture')
  const { status, err } = await runCommand(['backup', target], settings)
  const words = `${target} is not empty and holds no backup of this program: take an empty folder, or an empty part of a bucket`
  assert.deepEqual([status, err], [1, words])
  assert.deepEqual(existsSync(join(target, 'backup.json')), false)
})

test('18.35 keys on a disk of their own are saved and restored beside what the file system has there', async (t) => {
  const { root, settings } = await startWithRoot(t)
  await makeFoundAgain(settings.KEYS_DIR)
  const target = join(root, 'backup')
  const saved = await runCommand(['backup', target], { ...settings, ...SECRET })
  assert.deepEqual([saved.status, saved.err], [0, ''])
  const place = { DATA_DIR: join(root, 'data'), KEYS_DIR: join(root, 'keys'), ...SECRET }
  await makeFoundAgain(place.KEYS_DIR)
  const restored = await runCommand(['restore', target], place)
  assert.deepEqual([restored.status, restored.err], [0, ''])
  assert.deepEqual((await readdir(place.KEYS_DIR)).toSorted(), (await readdir(settings.KEYS_DIR)).toSorted())
  assert.equal((await runCommand(['check'], place)).status, 0)
})
