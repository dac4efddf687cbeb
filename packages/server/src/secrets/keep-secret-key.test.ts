import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readConfig, type Config } from '../config/config.ts'
import { keepSecretKey } from './keep-secret-key.ts'
import { StartFailure } from '../config/start-failure.ts'
import { makeTestDatabase } from '../testing/engines.ts'

async function start(t: TestContext): Promise<{ config: Config; db: Parameters<typeof keepSecretKey>[0] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-test-'))
  const testDatabase = makeTestDatabase('sqlite', dataDir)
  const database = await testDatabase.open()
  t.after(async () => {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { config: readConfig({ DATA_DIR: dataDir }), db: database.db }
}

test('the key is made once, for its owner alone, and opens what it sealed after a restart', async (t) => {
  const { config, db } = await start(t)
  const sealed = (await keepSecretKey(db, config)).seal('secret', 'a')
  const { mode } = await stat(join(config.keysDir, 'secrets.key'))
  assert.equal(mode & 0o777, 0o600)
  assert.equal((await keepSecretKey(db, config)).open(sealed, 'a'), 'secret')
  assert.deepEqual(await readdir(config.keysDir), ['secrets.key'])
  const facts = JSON.stringify(await db.selectFrom('instance').selectAll().execute())
  assert.ok(!facts.includes((await readFile(join(config.keysDir, 'secrets.key'), 'utf8')).trim()))
})

test('of two first starts at once both end up with the same key', async (t) => {
  const { config, db } = await start(t)
  const [one, other] = await Promise.all([keepSecretKey(db, config), keepSecretKey(db, config)])
  assert.equal(other.open(one.seal('secret', 'a'), 'a'), 'secret')
})

test('a missing, a damaged and another key stop the start and are never replaced', async (t) => {
  const { config, db } = await start(t)
  await keepSecretKey(db, config)
  const path = join(config.keysDir, 'secrets.key')
  await writeFile(path, `${'A'.repeat(43)}\n`)
  await assert.rejects(keepSecretKey(db, config), StartFailure)
  await writeFile(path, 'short')
  await assert.rejects(keepSecretKey(db, config), /damaged/)
  await rm(path)
  await assert.rejects(keepSecretKey(db, config), /lacks the key/)
  assert.deepEqual(await readdir(config.keysDir), [])
})

test('with a passphrase the file alone opens nothing', async (t) => {
  const { config, db } = await start(t)
  const withPassphrase = { ...config, keyPassphrase: 'correct horse' }
  const sealed = (await keepSecretKey(db, withPassphrase)).seal('secret', 'a')
  assert.equal((await keepSecretKey(db, withPassphrase)).open(sealed, 'a'), 'secret')
  await assert.rejects(keepSecretKey(db, config), StartFailure)
  await assert.rejects(keepSecretKey(db, { ...config, keyPassphrase: 'other' }), StartFailure)
})
