import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureIssuingKeys } from '@proofdesk/certify/issuing-keys'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { parseNote } from '@proofdesk/proof/log/note'
import { computeRoot, proveConsistency } from '@proofdesk/proof/log/tiles'
import { verifyConsistency } from '@proofdesk/proof/log/tree'
import { readTilesOf } from '../../log/append-statement.ts'
import { findProgram } from '../../testing/find-program.ts'
import { openOwnServer, type OwnServer } from '../../testing/own-server.ts'
import { hasRealPostgres, makeRealDatabase } from '../../testing/real-postgres.ts'
import { judgeStored } from '../certificates/service.ts'

const PROGRAM = findProgram('testing/approve-on-and-on.ts')
/** Approvals that are cut off, on both databases together; a thousand before a release. */
const CUT_OFF = Number(process.env['PROOFDESK_KILLS'] ?? 16)
const ENGINES = hasRealPostgres ? ['sqlite', 'postgres'] : ['sqlite']
const CUT_OFF_EACH = Math.ceil(CUT_OFF / ENGINES.length)
/** Within which approvals are cut off before and after their claim. */
const MOST_KILLS = 20 + CUT_OFF_EACH

/** Numbers of collections. */
interface Approvals {
  /** Their reviewers were told so. */
  approved: number[]
  /** Nobody was told anything before the server was killed. */
  cutOff: number[]
}

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
        const all: Approvals = { approved: [], cutOff: [] }
        let claimed = 0
        let kills = 0
        // On both sides of the step that decides what becomes of it.
        while (all.cutOff.length < CUT_OFF_EACH || claimed === 0 || claimed === all.cutOff.length) {
          assert.ok(
            kills < MOST_KILLS,
            `${kills} kills cut off ${all.cutOff.length} approvals, ${claimed} of them claimed`,
          )
          kills += 1
          const { approved, cutOff } = await killWhileApproving([dataDir, keysDir, databaseUrl])
          all.approved.push(...approved)
          all.cutOff.push(...cutOff)
          // Past what the one that was killed may hold.
          const later = kills * 120_000
          const now = () => Date.now() + later
          const server = await openOwnServer({ dataDir, databaseUrl, certify, issuingKeysDir: keysDir, now })
          try {
            claimed += await expectInStep(server, dataDir, all, cutOff)
          } finally {
            await server.close()
          }
        }
        const { approved, cutOff } = all
        t.diagnostic(
          `${kills} kills after ${approved.length} approvals cut off ${cutOff.length}, ${claimed} of them claimed`,
        )
      })
  },
)

/** Kills it while approvals are under way, at a moment by chance within as long as one took that was alone. */
async function killWhileApproving(args: string[]): Promise<Approvals> {
  const program = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(program, 'close')
  const begun: number[] = []
  const approved: number[] = []
  const refused: number[] = []
  const told = { begun, approved, refused }
  let beganAt = 0
  let tookMs = 0
  const warm = Promise.withResolvers<void>()
  createInterface(program.stdout).on('line', (line) => {
    const [what, id] = line.split(' ')
    told[what as keyof typeof told].push(Number(id))
    if (begun.length === 1 && what === 'begun') beganAt = performance.now()
    if (approved.length === 1 && what === 'approved') tookMs = performance.now() - beganAt
    if (approved.length > 0 && what === 'begun') warm.resolve()
  })
  await Promise.race([warm.promise, ended.then(() => assert.fail('it ended by itself'))])
  await sleep(randomInt(Math.ceil(tookMs)))
  program.kill('SIGKILL')
  await ended
  const over = new Set([...approved, ...refused])
  return { approved, cutOff: begun.filter((id) => !over.has(id)) }
}

/** @param cutOff Those that the last kill cut off. @returns how many of them are approvals all the same */
async function expectInStep(
  { deps, outbox }: OwnServer,
  dataDir: string,
  all: Approvals,
  cutOff: readonly number[],
): Promise<number> {
  await outbox.settle()
  const { db, log } = deps
  const proofs = await db
    .selectFrom('proofs')
    .select(['id', 'collection_id', 'proofid', 'state', 'sealed_key'])
    .orderBy('id')
    .execute()
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
  // Whatever somebody was told stands, and what nobody was told of is approved once or not at all.
  const collections = proofs.flatMap(({ collection_id }) => collection_id ?? [])
  assert.equal(new Set(collections).size, proofs.length)
  assert.deepEqual(new Set(all.approved).difference(new Set(collections)), new Set())
  assert.deepEqual(new Set(collections).difference(new Set([...all.approved, ...all.cutOff])), new Set())

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
  const touched = proofs.filter(({ collection_id }) => collection_id !== null && cutOff.includes(collection_id))
  for (const { sealed_key, ...proof } of new Set([...proofs.slice(-2), ...touched])) {
    const { isGenuine, told } = await judgeStored(deps, sealed_key!, proof)
    assert.ok(isGenuine, told)
  }
  return touched.length
}
