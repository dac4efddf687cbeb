import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestServer } from '../testing.ts'
import { must, sendCollection } from '../testing/collections.ts'
import { copyStopped, runCommand } from '../testing/stopped-installation.ts'

test('18.37 nothing is restored among the files of another installation; among its own they are compared and left', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-beside-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const server = await startTestServer(t, 'sqlite')
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
  await server.settle()
  const installation = await copyStopped(server, join(root, 'installation'))
  const [target, secret] = [join(root, 'backup'), { BACKUP_PASSPHRASE: 'correct horse battery staple' }]
  assert.equal((await runCommand(['backup', target], { ...installation, ...secret })).status, 0)

  const foreign = { ...secret, DATA_DIR: join(root, 'foreign'), KEYS_DIR: join(root, 'foreign-keys') }
  await mkdir(join(foreign.DATA_DIR, 'blobs/log'), { recursive: true })
  await writeFile(join(foreign.DATA_DIR, 'blobs/log/guard'), 'another.example/log\n1\n')
  const refused = await runCommand(['restore', target], foreign)
  assert.equal(refused.status, 1)
  assert.match(refused.err, /^The files of another installation lie where files are copied to: its log is another\.ex/)
  assert.deepEqual(await readdir(join(foreign.DATA_DIR, 'blobs'), { recursive: true }), ['log', 'log/guard'])
  assert.deepEqual(
    [existsSync(foreign.KEYS_DIR), existsSync(join(foreign.DATA_DIR, 'proofdesk.sqlite'))],
    [false, false],
  )

  const own = { ...secret, DATA_DIR: join(root, 'own'), KEYS_DIR: join(root, 'own-keys') }
  await cp(join(installation.DATA_DIR, 'blobs'), join(own.DATA_DIR, 'blobs'), { recursive: true })
  assert.ok((await readFile(join(own.DATA_DIR, 'blobs/log/guard'))).length > 0)
  assert.equal((await runCommand(['restore', target], own)).status, 0)
  assert.equal((await runCommand(['check'], own)).status, 0)
})
