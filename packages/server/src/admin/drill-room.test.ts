import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestServer } from '../testing.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { mindRoom } from './mind-room.ts'

test('18.33 a drill that has too little room says how much it needs, and writes nothing', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-room-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const { dataDir, keysDir } = (await startTestServer(t, 'sqlite')).config
  const settings = { DATA_DIR: dataDir, KEYS_DIR: keysDir }
  const target = join(root, 'backup')
  assert.equal((await runCommand(['backup', target], settings)).status, 0)
  const asked = { ...settings, MIN_FREE_MB: '99999999' }
  const { status, out, err } = await runCommand(['drill', target], asked)
  assert.deepEqual([status, out], [1, ''])
  const words =
    /^There is too little room in \/\S+: the drill needs \d+ MB and 99999999 MB beside it \(MIN_FREE_MB\), there are \d+ MB: set TMPDIR to a folder with more$/
  assert.match(err, words)
  assert.equal((await runCommand(['drill', target], settings)).status, 0)
})

test('18.33 the database and all files of a backup are reckoned with, in whole blocks', async () => {
  const file = (size: number) => ({ size, sha256: '0'.repeat(64), key: 'originals/x' })
  const [small, huge] = [file(1), file(2 ** 50)]
  await mindRoom(tmpdir(), { database: small, files: [small] }, 0)
  for (const manifest of [
    { database: huge, files: [small] },
    { database: small, files: [small, huge] },
    { database: small, files: Array.from({ length: 3 }, () => file(2 ** 49)) },
  ])
    await assert.rejects(mindRoom(tmpdir(), manifest, 0), /the drill needs 1\d{9} MB, there are \d+ MB: set TMPDIR/)
})
