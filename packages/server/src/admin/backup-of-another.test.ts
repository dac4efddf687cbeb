import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestServer } from '../testing.ts'
import { runCommand } from '../testing/stopped-installation.ts'

for (const [secrecy, secret] of [
  ['plain', {}],
  ['encrypted', { BACKUP_PASSPHRASE: 'correct horse battery staple' }],
] as const)
  test(`18.45 a backup among those of another installation is refused, and none of them goes (${secrecy})`, async (t) => {
    const root = await mkdtemp(join(tmpdir(), 'proofdesk-another-'))
    t.after(() => rm(root, { recursive: true, force: true }))
    const target = join(root, 'backup')
    const [one, other] = [await startTestServer(t, 'sqlite'), await startTestServer(t, 'sqlite')]
    const settings = ({ config }: typeof one) => ({ DATA_DIR: config.dataDir, KEYS_DIR: config.keysDir, ...secret })
    assert.equal((await runCommand(['backup', target], settings(one))).status, 0)
    const before = await readdir(target, { recursive: true })
    const refused = await runCommand(['backup', target, '--keep', '1'], settings(other))
    assert.equal(refused.status, 1)
    assert.match(
      refused.err,
      /^The backups in .*backup are of another installation, whose log is .*: take another place$/,
    )
    assert.deepEqual(await readdir(target, { recursive: true }), before)
    // What was restored from there goes on there.
    const place = { ...secret, DATA_DIR: join(root, 'restored'), KEYS_DIR: one.config.keysDir }
    const restored = await runCommand(['restore', target, '--without-keys'], place)
    assert.deepEqual([restored.status, restored.err], [0, ''])
    assert.equal((await runCommand(['backup', target], place)).status, 0)
  })
