import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { startTestServer } from '../testing.ts'
import { addFile, openCollection } from '../testing/collections.ts'
import { runCommand } from '../testing/stopped-installation.ts'

const SECRET = { BACKUP_PASSPHRASE: 'correct horse battery staple' }
const GIBIBYTE = 1024 ** 3

async function startWithBackup(t: TestContext, secret: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-hostile-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const server = await startTestServer(t, 'sqlite')
  const ada = await server.signIn('ada')
  await addFile(ada, await openCollection(ada))
  await server.settle()
  const { dataDir, keysDir } = server.config
  const run = (args: string[], others = {}) =>
    runCommand(args, { DATA_DIR: dataDir, KEYS_DIR: keysDir, ...secret, ...others })
  const target = join(root, 'backup')
  assert.equal((await run(['backup', target])).status, 0)
  const { blob_key: key } = await server.deps.db.selectFrom('contents').select('blob_key').executeTakeFirstOrThrow()
  const [snapshot = ''] = await readdir(join(target, 'snapshots'))
  return { root, run, target, key, snapshot, dataDir }
}

for (const [what, secret] of [
  ['plain', {}],
  ['encrypted', SECRET],
] as const)
  for (const [name, put, told] of [
    ['a pipe that nobody writes', (path: string) => execFileSync('mkfifo', [path]), 'cannot be read in the backup'],
    ['a device that never ends', (path: string) => symlink('/dev/zero', path), 'cannot be read in the backup'],
    [
      'a file that fills the disk',
      async (path: string) => {
        await writeFile(path, '')
        await truncate(path, 300 * GIBIBYTE)
      },
      'not what was saved',
    ],
  ] as const)
    test(`18.48 ${name} in the place of a file of a backup holds nothing up, and fills nothing (${what})`, async (t) => {
      const { root, run, target, key, snapshot } = await startWithBackup(t, secret)
      const file = join(target, 'files', key)
      await rm(file)
      await put(file)
      const restored = await run(['restore', target, '--without-keys'], { DATA_DIR: join(root, 'restored') })
      assert.deepEqual([restored.status, restored.err.split('\n')[0]], [1, `${key}: ${told}`])
      // Half a gigabyte of it would be read.
      if (told === 'not what was saved') return
      const manifest = join(target, 'snapshots', snapshot, 'manifest')
      await rm(manifest)
      await put(manifest)
      assert.equal((await run(['drill', target])).err, 'There is no whole backup yet. See: npm run admin -- --help')
    })

test('18.48 backups that are not encrypted any more are not restored for the asking', async (t) => {
  const { root, run, target } = await startWithBackup(t, SECRET)
  const mark = JSON.parse(await readFile(join(target, 'backup.json'), 'utf8'))
  await writeFile(join(target, 'backup.json'), JSON.stringify({ ...mark, salt: null }))
  const { status, err } = await run(['restore', target], { DATA_DIR: join(root, 'restored') })
  assert.equal(status, 1)
  assert.match(
    err,
    /are not encrypted, and BACKUP_PASSPHRASE is set: where they were, somebody else has put these there/,
  )
  await truncate(join(target, 'backup.json'), 300 * GIBIBYTE)
  assert.equal((await run(['drill', target])).status, 0, 'the copy in the backup counts')
})

test('18.48 a link in the place of the lock of a folder of backups locks nothing else', async (t) => {
  const { run, target, dataDir } = await startWithBackup(t, {})
  const lock = join(target, 'proofdesk.lock')
  await rm(lock)
  await symlink(join(dataDir, 'proofdesk.sqlite'), lock)
  const { status, err } = await run(['backup', target])
  assert.deepEqual([status, err], [1, `The folder cannot be locked: ${lock} is not ours`])
})

for (const part of ['snapshots', 'files'])
  test(`18.48 nothing is removed behind a link in the place of ${part}`, async (t) => {
    const { root, run, target } = await startWithBackup(t, {})
    const victim = join(root, 'victim')
    await rename(join(target, part), victim)
    await mkdir(join(victim, 'deep'), { recursive: true })
    await writeFile(join(victim, 'deep', 'precious'), 'precious')
    await symlink(victim, join(target, part))
    const before = await readdir(victim, { recursive: true })
    const { status, err } = await run(['prune', target, '--keep', '1'])
    assert.deepEqual(await readdir(victim, { recursive: true }), before)
    assert.equal(status, 1)
    assert.match(err, /^Nothing is removed in .*victim.*: it does not lie in .*backup, but is linked there$/)
  })

test('18.48 nothing is written behind a link, among the stored files above all', async (t) => {
  const { root, run, target, dataDir } = await startWithBackup(t, SECRET)
  const snapshots = join(target, 'snapshots')
  // As a first backup that has saved nothing yet.
  await rm(snapshots, { recursive: true })
  await rename(join(target, 'files'), join(root, 'aside'))
  await symlink(join(dataDir, 'blobs'), join(target, 'files'))
  const { status, err } = await run(['backup', target])
  assert.equal((await run(['check'])).status, 0, 'the stored files are as they were')
  assert.equal(status, 1)
  assert.match(err, /^Nothing is written to .*blobs.*: it does not lie in .*backup, but is linked there$/)
})
