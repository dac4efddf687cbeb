import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestServer } from '../testing.ts'
import { BARE_ENVIRONMENT } from '../testing/bare-environment.ts'
import { must, sendCollection } from '../testing/collections.ts'
import { findProgram } from '../testing/find-program.ts'

const ADMIN = findProgram('admin/main.ts')

test('14.41 a command judges every stored certified PDF by the public verifier, and names what is wrong (sqlite)', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  const { dataDir, keysDir } = server.config
  const check = () => {
    const env = { ...BARE_ENVIRONMENT, DATA_DIR: dataDir, KEYS_DIR: keysDir, ORGANISATION: 'Test Registry' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [ADMIN, 'check-proofs'], { env, encoding: 'utf8' })
    return { status, out: stdout.trim(), err: stderr.trim() }
  }
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const proofids: string[] = []
  for (let n = 0; n < 3; n++) {
    const id = await sendCollection(ada)
    proofids.push(must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200).proofid)
  }
  assert.deepEqual(check(), { status: 0, out: '3 certified PDFs were checked: all are what was approved.', err: '' })
  const rows = await server.deps.db.selectFrom('proofs').select('sealed_key').orderBy('id').execute()
  const [first, second] = rows.map(({ sealed_key }) => join(dataDir, 'blobs', sealed_key!))
  writeFileSync(first!, '%PDF-1.7 another')
  rmSync(second!)
  const { status, err } = check()
  const lines = err.split('\n')
  assert.equal(status, 1)
  assert.ok(lines[0]?.startsWith(`${proofids[0]}: `) && lines[1]?.startsWith(`${proofids[1]}: `), err)
  assert.equal(
    lines[2],
    '2 of 3 certified PDFs are not what was approved: npm run admin -- mend puts files back, a row needs a restore.',
  )
})
