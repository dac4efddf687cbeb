import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
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
import { hasRealPostgres, makeRealDatabase } from '../../testing/real-postgres.ts'
import { judgeStored } from '../certificates/service.ts'

const PROGRAM = fileURLToPath(new URL('../../testing/approve-on-and-on.ts', import.meta.url))
/** On both databases together; a thousand before a release. */
const KILLS = Number(process.env['PROOFDESK_KILLS'] ?? 40)
const LONGEST_MS = 1000
const ENGINES = hasRealPostgres ? ['sqlite', 'postgres'] : ['sqlite']
const KILLS_EACH = Math.ceil(KILLS / ENGINES.length)

describe(
  '14.24 a server that is killed at points by chance keeps proofs and log in step',
  { concurrency: true },
  () => {
    for (const engine of ENGINES)
      test(`14.24 a server that is killed at points by chance keeps proofs and log in step (${engine})`, async (t) => {
        const root = await mkdtemp(join(tmpdir(), 'proofdesk-kills-'))
        const [keysDir, dataDir] = [join(root, 'keys'), join(root, 'data')]
        await mkdir(dataDir)
        await ensureIssuingKeys({ dir: keysDir, organisation: 'Test Registry' })
        const database = engine === 'postgres' ? await makeRealDatabase('migrated') : undefined
        const databaseUrl = database?.url ?? ''
        const certify = openCertifyPool({ keysDir, threads: 1 })
        t.after(async () => {
          await certify.close()
          await database?.drop()
          await rm(root, { recursive: true, force: true })
        })
        let known = 0
        for (let kill = 1; kill <= KILLS_EACH; kill++) {
          await killWhileApproving([dataDir, keysDir, databaseUrl])
          // Past what the one that was killed may hold.
          const now = () => Date.now() + kill * 120_000
          const server = await openOwnServer({ dataDir, databaseUrl, certify, issuingKeysDir: keysDir, now })
          try {
            known = await expectInStep(server, known, dataDir)
          } finally {
            await server.close()
          }
        }
        t.diagnostic(`${known} approvals survived ${KILLS_EACH} kills`)
        assert.ok(known > 0)
      })
  },
)

async function killWhileApproving(args: string[]): Promise<void> {
  const program = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  await Promise.race([once(program.stdout, 'data'), ended.then(() => assert.fail('it ended by itself'))])
  await sleep(randomInt(LONGEST_MS))
  program.kill('SIGKILL')
  await ended
}

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
  const [kept] = (await readdir(join(dataDir, 'keys'))).filter((name) => /^log\.head\.\d+$/.test(name))
  const guard = parseCheckpoint(parseNote(await readFile(join(dataDir, 'keys', kept ?? ''), 'utf8')).text)
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
