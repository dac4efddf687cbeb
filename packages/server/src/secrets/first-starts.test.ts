import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readConfig } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { findFact } from '../db/instance.ts'
import { ENGINES, makeTestDatabase, type TestEngine } from '../testing/engines.ts'
import { makeKeyFile, readKeyFile } from './key-file.ts'
import { keepPaperKey } from './keep-paper-key.ts'
import { findSecretKey, keepSecretKey } from './keep-secret-key.ts'

async function open(t: TestContext, engine: TestEngine) {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-starts-'))
  const testDatabase = makeTestDatabase(engine, folder)
  const { db, close } = await testDatabase.open()
  t.after(async () => {
    await close()
    await testDatabase.drop()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    db,
    folder,
    /** Of a node that has a KEYS_DIR of its own. */
    configOf: (node: string) => readConfig({ DATA_DIR: folder, KEYS_DIR: join(folder, node) }),
  }
}

for (const engine of ENGINES) {
  test(`of two first starts at once with keys of their own one is refused, and its key stays where it is (${engine})`, async (t) => {
    const { db, configOf } = await open(t, engine)
    for (const keep of [keepSecretKey, keepPaperKey]) {
      const configs = ['one', 'other'].map(configOf)
      const starts = await Promise.allSettled(configs.map((config) => keep(db, config)))
      assert.deepEqual(starts.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
      const refused = starts.find((start) => start.status === 'rejected')
      assert.ok(refused?.reason instanceof StartFailure)
      // The second may come once the first has told the database of its key, and makes none then.
      assert.match(refused.reason.message, /holds another key|lacks the key/)
      // Whoever was first still is at the next start.
      const again = await Promise.allSettled(configs.map((config) => keep(db, config)))
      assert.deepEqual(
        again.map(({ status }) => status),
        starts.map(({ status }) => status),
      )
    }
  })

  test(`a command that only looks makes no key, and takes none that is another (${engine})`, async (t) => {
    const { db, configOf } = await open(t, engine)
    const [one, other] = [configOf('one'), configOf('other')]
    assert.equal(await findSecretKey(db, one), undefined)
    await assert.rejects(readdir(one.keysDir), { code: 'ENOENT' })
    assert.equal(await findFact(db, 'secret_key_fingerprint'), undefined)
    const sealed = (await keepSecretKey(db, one)).seal('secret', 'a')
    assert.equal((await findSecretKey(db, one))?.open(sealed, 'a'), 'secret')
    assert.equal(await findSecretKey(db, other), undefined)
    await makeKeyFile(other.keysDir, 'secrets.key', `${'A'.repeat(43)}\n`)
    await assert.rejects(findSecretKey(db, other), /holds another key/)
  })

  test(`a key for paper of another kind is none (${engine})`, async (t) => {
    const { db, configOf } = await open(t, engine)
    const config = configOf('one')
    const { privateKey } = generateKeyPairSync('x25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await makeKeyFile(config.keysDir, 'paper.key.pem', pem)
    await assert.rejects(keepPaperKey(db, config), /it is no Ed25519 key/)
    assert.equal(await findFact(db, 'paper_key'), undefined)
  })
}

test('a key that was made stays, whoever makes another, and nothing else is left beside it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-keys-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const keysDir = join(folder, 'keys')
  assert.equal(await readKeyFile(keysDir, 'a.key'), undefined)
  assert.equal(await makeKeyFile(keysDir, 'a.key', 'first'), 'first')
  assert.equal(await makeKeyFile(keysDir, 'a.key', 'second'), 'first')
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => makeKeyFile(keysDir, 'b.key', `of ${n}`)))
  assert.equal(new Set(made).size, 1)
  assert.equal(await readFile(join(keysDir, 'b.key'), 'utf8'), made[0])
  assert.deepEqual((await readdir(keysDir)).toSorted(), ['a.key', 'b.key'])
  assert.equal((await stat(join(keysDir, 'a.key'))).mode & 0o777, 0o600)
})

test('a place where no key can be made or read is told, and no half of a key is left there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-keys-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'a.key'))
  await assert.rejects(readKeyFile(folder, 'a.key'), /cannot be read/)
  await writeFile(join(folder, 'file'), '')
  await assert.rejects(makeKeyFile(join(folder, 'file'), 'a.key', 'first'), StartFailure)
  await assert.rejects(makeKeyFile(folder, 'none/a.key', 'first'), /cannot be written/)
  assert.deepEqual((await readdir(folder)).toSorted(), ['a.key', 'file'])
})
