import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathOfBlob } from '../blobs/disk.ts'
import { startTestServer } from '../testing.ts'
import { addFile, openCollection } from '../testing/collections.ts'
import { runCommand } from '../testing/stopped-installation.ts'

const SECRET = { BACKUP_PASSPHRASE: 'correct horse battery staple' }

/** An installation with one file, and so many backups of it. */
async function startWithBackups(t: TestContext, count: number, secret: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-damaged-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const server = await startTestServer(t, 'sqlite')
  const ada = await server.signIn('ada')
  await addFile(ada, await openCollection(ada))
  await server.settle()
  const { dataDir, keysDir } = server.config
  const run = (args: string[], others = {}) =>
    runCommand(args, { DATA_DIR: dataDir, KEYS_DIR: keysDir, ...secret, ...others })
  const target = join(root, 'backup')
  for (let n = 0; n < count; n++) assert.equal((await run(['backup', target])).status, 0)
  const list = async () => (await readdir(join(target, 'snapshots'))).toSorted()
  const { blob_key: key } = await server.deps.db.selectFrom('contents').select('blob_key').executeTakeFirstOrThrow()
  return { root, run, target, list, key, path: pathOfBlob(dataDir, key) }
}

for (const [secrecy, secret] of [
  ['plain', {}],
  ['encrypted', SECRET],
] as const)
  test(`18.38 an old backup whose manifest is damaged is named and passed over when files are saved or put back (${secrecy})`, async (t) => {
    const { run, target, list, key, path } = await startWithBackups(t, 2, secret)
    const [old = ''] = await list()
    const cutManifest = async (snapshot: string) => {
      const manifest = join(target, 'snapshots', snapshot, 'manifest')
      await writeFile(manifest, (await readFile(manifest)).subarray(0, -1))
    }
    await cutManifest(old)
    const named = new RegExp(`^The backup ${old} is damaged, and was passed over: .*${old}`)
    const saved = await run(['backup', target])
    assert.equal(saved.status, 0)
    assert.match(saved.err, named)
    assert.match(saved.out, /the database, 0 new files, [1-9]\d* saved before/)
    assert.equal((await run(['drill', target])).status, 0)

    // What it alone needs is not known, so nothing goes as long as it is to stay.
    const before = await readdir(target, { recursive: true })
    const refused = await run(['prune', target, '--keep', '3'])
    assert.equal(refused.status, 1)
    assert.match(refused.err, new RegExp(`^No older backup was removed: .*snapshots/${old} .*: remove it there`))
    assert.deepEqual(await readdir(target, { recursive: true }), before)

    await rm(path)
    const [, middle = '', newest = ''] = await list()
    await cutManifest(newest)
    const mended = await run(['mend', target])
    assert.equal(mended.status, 0)
    assert.match(mended.err, new RegExp(`^The backup ${newest} is damaged, and was passed over: [^\\n]*$`))
    assert.match(mended.out, new RegExp(`^${key}: missing, put back`))
    await rm(join(target, 'snapshots', newest), { recursive: true })
    const pruned = await run(['prune', target, '--keep', '1'])
    assert.deepEqual([pruned.status, await list()], [0, [middle]])
  })

test('18.38 by another passphrase, with which no backup can be read, nothing is written over', async (t) => {
  const { run, target } = await startWithBackups(t, 2, SECRET)
  const before = await readdir(target, { recursive: true })
  const { status, err } = await run(['backup', target], { BACKUP_PASSPHRASE: 'another passphrase' })
  assert.equal(status, 1)
  assert.match(err, /^BACKUP_PASSPHRASE is another than that of the backups in \S+$/)
  assert.deepEqual(await readdir(target, { recursive: true }), before)
  assert.equal((await run(['drill', target])).status, 0)
})

for (const [harm, spoil] of [
  ['rotten', async (key: string) => writeFile(key, (await readFile(key)).fill(0, 40))],
  ['missing', (key: string) => rm(key)],
] as const)
  test(`18.43 a key of a backup that is ${harm} fails its drill, which no restore could do without`, async (t) => {
    const { run, target, list } = await startWithBackups(t, 1, SECRET)
    const [snapshot = ''] = await list()
    const name = `${snapshot}/keys/log.key.pem`
    assert.equal((await run(['drill', target])).status, 0)
    await spoil(join(target, 'snapshots', name))
    const { status, err } = await run(['drill', target])
    assert.equal(status, 1)
    assert.match(err, new RegExp(`^${name}(: missing in the backup|: not what was saved)$`))
  })

test('18.44 what could not be saved is no file less that came back', async (t) => {
  const { root, run, target, key, path } = await startWithBackups(t, 0, {})
  await rm(path)
  assert.equal((await run(['backup', target])).status, 3)
  const { status, out, err } = await run(['restore', target], { DATA_DIR: join(root, 'restored') })
  const advice =
    'What is named here is not there now: npm run admin -- mend puts it back from another place of backups.'
  assert.deepEqual([status, err], [1, `${key}: missing when it was saved\n${advice}`])
  const { length } = await readdir(join(root, 'restored', 'blobs'), { recursive: true, withFileTypes: true }).then(
    (entries) => entries.filter((entry) => entry.isFile()),
  )
  assert.match(out, new RegExp(`: the database and ${length} files\\.`))
})

test('18.2 a file that was removed from a backup since it was rotten is copied anew, and counted so', async (t) => {
  const { run, target, key } = await startWithBackups(t, 1, {})
  await rm(join(target, 'files', key))
  const { out } = await run(['backup', target])
  assert.match(out, /the database, 1 new files, \d+ saved before\./)
  assert.equal((await run(['drill', target])).status, 0)
})

test('18.10 where no backup is whole nothing is removed: the next one takes up what is there', async (t) => {
  const { run, target, list } = await startWithBackups(t, 1, {})
  const [snapshot = ''] = await list()
  await rm(join(target, 'snapshots', snapshot, 'manifest'))
  const before = await readdir(target, { recursive: true })
  const { status, err } = await run(['prune', target, '--keep', '1'])
  assert.deepEqual([status, err], [0, ''])
  assert.deepEqual(await readdir(target, { recursive: true }), before)
  assert.match((await run(['backup', target])).out, /the database, 0 new files, [1-9]\d* saved before/)
})

test('18.50 where its salt was altered the copies tell it from another passphrase, and the next backup mends it', async (t) => {
  const { root, run, target, list } = await startWithBackups(t, 1, SECRET)
  const mark = join(target, 'backup.json')
  const before = await readFile(mark, 'utf8')
  const alter = (path: string) =>
    writeFile(
      path,
      before.replace(/"salt":"(.)/, (_, c) => `"salt":"${c === '0' ? 1 : 0}`),
    )
  await alter(mark)
  const place = { DATA_DIR: join(root, 'restored'), KEYS_DIR: join(root, 'restored-keys') }
  const restored = await run(['restore', target], place)
  assert.deepEqual([restored.status, restored.err], [0, ''])
  const wrong = await run(['drill', target], { BACKUP_PASSPHRASE: 'another passphrase' })
  assert.equal(wrong.status, 1)
  assert.match(
    wrong.err,
    /^BACKUP_PASSPHRASE is another than .*, or what says how .* \(backup\.json\) was altered there$/,
  )
  const saved = await run(['backup', target])
  assert.deepEqual([saved.status, saved.err], [0, ''])
  assert.match(saved.out, /the database, 0 new files/)
  assert.equal(await readFile(mark, 'utf8'), before)

  // Of an earlier version, which had no check: what is opened first tells.
  const [first = '', second = ''] = await list()
  for (const path of [mark, ...[first, second].map((name) => join(target, 'snapshots', name, 'backup.json'))])
    await writeFile(path, before.replace(/,"check":"\w+"/, ''))
  assert.equal((await run(['drill', target])).status, 0)
  const doubted = await run(['drill', target], { BACKUP_PASSPHRASE: 'another passphrase' })
  assert.match(doubted.err, /manifest is not what was written, or the passphrase is another/)
})

test('18.4 a drill and a restore say what is to be done about what is cut in a backup', async (t) => {
  const { root, run, target, list, key } = await startWithBackups(t, 2, {})
  const cut = async (...path: string[]) => {
    const file = join(target, ...path)
    await writeFile(file, (await readFile(file)).subarray(0, -1))
  }
  const [old = '', newest = ''] = await list()
  const place = (name: string) => ({ DATA_DIR: join(root, name), KEYS_DIR: join(root, `${name}-keys`) })
  await cut('files', ...key.split('/'))
  const drilled = await run(['drill', target])
  assert.deepEqual(drilled.err.split('\n').slice(0, 2), [
    `${key}: not what was saved`,
    `Where the installation still has this file, remove it from ${target}/files: the next backup saves it anew.`,
  ])
  const restored = await run(['restore', target], place('without'))
  assert.equal(restored.status, 1)
  assert.match(restored.err, /\nWhat is named here is not there now: npm run admin -- mend puts it back from /)
  await rm(join(target, 'files', ...key.split('/')))
  assert.equal((await run(['backup', target])).status, 0)
  assert.equal((await run(['drill', target])).status, 0)

  const [, , last = ''] = await list()
  await cut('snapshots', last, 'database')
  for (const command of ['drill', 'restore']) {
    const { status, err } = await run([command, target], place('whole'))
    assert.deepEqual(
      [status, err],
      [1, `${last}/database is not what was saved: take another one with --snapshot: ${old}, ${newest}`],
    )
  }
  assert.equal((await run(['restore', target, '--snapshot', newest], place('whole'))).status, 0)
  for (const name of [old, newest]) await rm(join(target, 'snapshots', name), { recursive: true })
  assert.match((await run(['drill', target])).err, /: no other backup stands there: take one from another place, or /)
})

for (const [secrecy, secret] of [
  ['plain', {}],
  ['encrypted', SECRET],
] as const)
  for (const [harm, spoil] of [
    ['lost', (mark: string) => rm(mark)],
    ['rotten', (mark: string) => writeFile(mark, '{"type":"proofdesk-backup","v":1,"sa')],
  ] as const)
    test(`18.50 where the file that says what a place of backups is was ${harm}, each backup says it, too (${secrecy})`, async (t) => {
      const { root, run, target } = await startWithBackups(t, 2, secret)
      const mark = join(target, 'backup.json')
      const before = await readFile(mark, 'utf8')
      await spoil(mark)
      const place = { DATA_DIR: join(root, 'restored'), KEYS_DIR: join(root, 'restored-keys') }
      const restored = await run(['restore', target], place)
      assert.deepEqual([restored.status, restored.err], [0, ''])
      assert.equal((await run(['drill', target])).status, 0)
      const saved = await run(['backup', target, '--again'])
      assert.deepEqual([saved.status, saved.err], [0, ''])
      assert.match(saved.out, /the database, 0 new files/)
      assert.equal(await readFile(mark, 'utf8'), before)
    })
