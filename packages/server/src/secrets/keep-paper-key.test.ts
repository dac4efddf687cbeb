import assert from 'node:assert/strict'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { StartFailure } from '../config/start-failure.ts'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import { keepPaperKey } from './keep-paper-key.ts'

const pathOf = ({ config }: TestServer) => join(config.keysDir, 'paper.key.pem')
const keep = ({ deps, config }: TestServer) => keepPaperKey(deps.db, config)

for (const engine of ENGINES)
  describe(`the key for paper (${engine})`, () => {
    test('16.7 is made once, for its owner alone, is another than the log’s, and stands in the policy', async (t) => {
      const server = await startTestServer(t, engine)
      const { publicKey } = server.deps.paperKey
      assert.equal((await keep(server)).publicKey, publicKey)
      assert.equal((await stat(pathOf(server))).mode & 0o777, 0o600)
      const log = await readFile(join(server.config.keysDir, 'log.key.pem'), 'utf8')
      assert.notEqual(await readFile(pathOf(server), 'utf8'), log)
      const policy = parseInstancePolicy(new Uint8Array((await server.inject('/log/instance-policy')).rawPayload))
      assert.deepEqual(policy.paperKeys, [publicKey])
      assert.ok(!JSON.stringify(policy).includes('PRIVATE'))
    })

    test('16.7 a missing, a damaged and another key stop the start and are never replaced', async (t) => {
      const server = await startTestServer(t, engine)
      const stranger = await startTestServer(t, engine)
      await writeFile(pathOf(server), await readFile(pathOf(stranger)))
      await assert.rejects(keep(server), StartFailure)
      await writeFile(pathOf(server), 'no key')
      await assert.rejects(keep(server), /cannot be used/)
      await rm(pathOf(server))
      await assert.rejects(keep(server), /lacks the key/)
      await assert.rejects(stat(pathOf(server)), { code: 'ENOENT' })
    })

    test('16.7 an installation from before gets one at its next start; of two at once both have the same', async (t) => {
      const server = await startTestServer(t, engine)
      await server.deps.db.deleteFrom('instance').where('name', '=', 'paper_key').execute()
      await rm(pathOf(server))
      const [one, other] = await Promise.all([keep(server), keep(server)])
      assert.equal(one.publicKey, other.publicKey)
      assert.notEqual(one.publicKey, server.deps.paperKey.publicKey)
    })
  })

test('16.7 with a passphrase the file alone signs nothing', async (t) => {
  const server = await startTestServer(t, 'sqlite', { config: { keyPassphrase: 'correct horse' } })
  assert.match(await readFile(pathOf(server), 'utf8'), /ENCRYPTED/)
  const { keyPassphrase: _left, ...open } = server.config
  await assert.rejects(keepPaperKey(server.deps.db, open as typeof server.config), /KEY_PASSPHRASE does not open/)
})
