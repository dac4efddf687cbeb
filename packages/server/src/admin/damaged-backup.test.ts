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
  assert.match(err, /^\S+\/manifest is not what was written, or the passphrase is another$/)
  assert.deepEqual(await readdir(target, { recursive: true }), before)
  assert.equal((await run(['drill', target])).status, 0)
})
