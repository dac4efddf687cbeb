import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ensureIssuingKeys } from '@proofdesk/certify/issuing-keys'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { parseNote } from '@proofdesk/proof/log/note'
import { computeRoot, proveConsistency } from '@proofdesk/proof/log/tiles'
import { verifyConsistency } from '@proofdesk/proof/log/tree'
import { readTilesOf } from '../../log/append-statement.ts'
import { openOwnServer, type OwnServer } from '../../testing/own-server.ts'
import { judgeStored } from '../certificates/service.ts'

const PROGRAM = fileURLToPath(new URL('../../testing/approve-on-and-on.ts', import.meta.url))
/** A thousand before a release. */
const KILLS = Number(process.env['PROOFDESK_KILLS'] ?? 12)
const LONGEST_MS = 1000

test(`14.24 a server that is killed at ${KILLS} points by chance keeps proofs and log in step (sqlite)`, async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-kills-'))
  const [keysDir, dataDir] = [join(root, 'keys'), join(root, 'data')]
  await mkdir(dataDir)
  await ensureIssuingKeys({ dir: keysDir, organisation: 'Test Registry' })
  const certify = openCertifyPool({ keysDir, threads: 1 })
  t.after(async () => {
    await certify.close()
    await rm(root, { recursive: true, force: true })
  })
  let known = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const program = spawn(process.execPath, [PROGRAM, dataDir, keysDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(program.stdout, 'data')
    await sleep(randomInt(LONGEST_MS))
    program.kill('SIGKILL')
    await once(program, 'exit')
    // Past what the one that was killed may hold.
    const server = await openOwnServer({
      dataDir,
      certify,
      issuingKeysDir: keysDir,
      now: () => Date.now() + kill * 120_000,
    })
    try {
      known = await expectInStep(server, known, dataDir)
    } finally {
      await server.close()
    }
  }
  t.diagnostic(`${known} approvals survived ${KILLS} kills`)
  assert.ok(known > 0)
})

/** @returns how many approvals there are; never fewer than before. */
async function expectInStep({ deps, outbox }: OwnServer, before: number, dataDir: string): Promise<number> {
  await outbox.settle()
  const { db, log } = deps
  const proofs = await db.selectFrom('proofs').select(['id', 'proofid', 'state', 'sealed_key']).orderBy('id').execute()
  // What was claimed was finished, and nothing else is an approval.
  assert.ok(proofs.every(({ state }) => state === 'published'))
  const leaves = await db
    .selectFrom('log_entries')
    .select('leaf_hash')
    .where('entry', 'like', '%"k":"approve"%')
    .execute()
  const committed = await db.selectFrom('log_commitments').select(['leaf_hash', 'proof_id']).execute()
  assert.deepEqual(
    committed.map(({ leaf_hash }) => leaf_hash).toSorted(),
    leaves.map(({ leaf_hash }) => leaf_hash).toSorted(),
  )
  assert.deepEqual(
    committed.map(({ proof_id }) => proof_id).toSorted((a, b) => a - b),
    proofs.map(({ id }) => id),
  )
  assert.ok(proofs.length >= before)

  // No head that was ever signed contradicts the tree as it is.
  const newest = await log.sign()
  const guard = parseCheckpoint(parseNote(await readFile(join(dataDir, 'keys/log.head'), 'utf8')).text)
  assert.ok(guard.size <= newest.size)
  const readTile = readTilesOf(db)
  const newRoot = await computeRoot(newest.size, readTile)
  for (const { note } of await db.selectFrom('log_checkpoints').select('note').execute()) {
    const { size, root } = parseCheckpoint(parseNote(note).text)
    if (size === newest.size) assert.deepEqual(root, newRoot)
    else {
      const path = await proveConsistency(size, newest.size, readTile)
      verifyConsistency({ oldSize: size, oldRoot: root, newSize: newest.size, newRoot, path })
    }
  }
  for (const { sealed_key, ...proof } of proofs.slice(-2)) {
    const { isGenuine, told } = await judgeStored(deps, sealed_key!, proof)
    assert.ok(isGenuine, told)
  }
  return proofs.length
}
