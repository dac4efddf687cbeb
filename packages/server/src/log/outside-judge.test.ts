import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, after, test } from 'node:test'
import { promisify } from 'node:util'
import { needJudge } from '@proofdesk/certify/testing'
import { areEqual } from '@proofdesk/proof/bytes'
import { ProofError } from '@proofdesk/proof/errors'
import { openNote, parseVerifierKey, signNote } from '@proofdesk/proof/log/note'
import { appendLeaves, computeRoot, proveConsistency, proveInclusion, type ReadTile } from '@proofdesk/proof/log/tiles'
import { hashLeaf, verifyConsistency, verifyInclusion } from '@proofdesk/proof/log/tree'
import { startTestServer } from '../testing.ts'
import { appendEntries, toEntry } from './append-statement.ts'
import { keepLogKey } from './keep-log-key.ts'

type Bytes = Uint8Array<ArrayBuffer>

const SOURCE = join(import.meta.dirname, '../testing/log-judge/judge.go')
/** Debian's Go has its libraries there; nothing is downloaded. */
const GO = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '', CGO_ENABLED: '0' }
const LEAVES = 300
const FRESH = 1000
/** Of each fresh proof. */
const FORGERIES = 9

const run = promisify(execFile)
let folder: string
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'proofdesk-judge-'))))
after(() => rm(folder, { recursive: true, force: true }))

let built: Promise<string> | undefined

function buildJudge(): Promise<string> {
  built ??= compileJudge()
  return built
}

async function compileJudge(): Promise<string> {
  const program = join(folder, 'judge')
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GOCACHE: join(folder, 'cache'), ...GO }
  await run('go', ['build', '-o', program, SOURCE], { env })
  return program
}

test('14.20 Go’s own log reads the served tiles: every entry and every earlier tree is under the signed head', async (t) => {
  if (!needJudge(t, 'go')) return
  const server = await startTestServer(t, 'sqlite')
  const { db, engine, log } = server.deps
  const entries = Array.from({ length: LEAVES }, (_, n) =>
    toEntry({
      kind: 'key',
      operation: 'add',
      use: 'approver',
      fingerprint: randomBytes(32).toString('base64url'),
      time: n,
    }),
  )
  await db.transaction().execute((transaction) => appendEntries(engine, transaction, entries))
  await log.sign()
  const url = await server.listen()
  const judge = await buildJudge()
  const { stdout } = await run(judge, ['tiles', `${url}/log`, log.verifierKey])
  assert.equal(stdout, `${log.origin}: ${LEAVES + 2} entries, ${LEAVES + 2} trees\n`)
  const other = await keepLogKey(db, { ...server.config, logOrigin: log.origin })
  assert.equal(other.verifierKey, log.verifierKey)
  await assert.rejects(run(judge, ['tiles', `${url}/log`, log.verifierKey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')]))
})

test(`14.21 Go’s own log and ours agree on ${FRESH} fresh proofs and ${FRESH * FORGERIES} forged ones`, async (t) => {
  if (!needJudge(t, 'go')) return
  const judge = await buildJudge()
  const leaves = Array.from({ length: 3000 }, () => hashLeaf(new Uint8Array(randomBytes(40))))
  const readTile = await growTree(leaves)
  const roots = new Map<number, Bytes>()
  const rootOf = async (size: number) => {
    const root = roots.get(size) ?? (await computeRoot(size, readTile))
    roots.set(size, root)
    return root
  }
  const checks: Check[] = []
  for (let n = 0; n < FRESH; n++) {
    // Few sizes, so that their roots are worked out once.
    const size = 1 + 37 * randomInt(80)
    const isInclusion = n % 2 === 0
    const at = randomInt(isInclusion ? 0 : 1, size + (isInclusion ? 0 : 1))
    const check: Check = isInclusion
      ? {
          kind: 'inclusion',
          size,
          root: await rootOf(size),
          index: at,
          leaf: leaves[at]!,
          path: await proveInclusion(at, size, readTile),
        }
      : {
          kind: 'consistency',
          size,
          root: await rootOf(size),
          oldSize: at,
          oldRoot: await rootOf(at),
          path: await proveConsistency(at, size, readTile),
        }
    checks.push(check, ...Array.from({ length: FORGERIES }, () => forge(check)))
  }
  const lines = checks.map((check) =>
    JSON.stringify(check, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ),
  )
  const told = await ask(judge, lines)
  const ours = checks.map(holds)
  const differing = checks.filter((_, i) => ours[i] !== told[i])
  assert.deepEqual(differing, [])
  // A forgery may be none: a path of one hash reads the same backwards.
  const right = ours.filter(Boolean).length
  assert.ok(right >= FRESH && right < FRESH * 1.5, `${right} hold`)
})

test('14.22 Go’s own notes and ours agree on signed heads, right and changed', async (t) => {
  if (!needJudge(t, 'go')) return
  const judge = await buildJudge()
  const server = await startTestServer(t, 'sqlite')
  const key = await keepLogKey(server.deps.db, server.config)
  const notes: string[] = []
  for (let n = 0; n < 300; n++) {
    const note = await signNote(`${key.name}\n${n}\n${randomBytes(32).toString('base64')}\n`, [key])
    const at = randomInt(note.length)
    notes.push(
      n % 3 === 0 ? note : `${note.slice(0, at)}${String.fromCharCode(33 + randomInt(90))}${note.slice(at + 1)}`,
    )
  }
  const told = await ask(
    judge,
    notes.map((note) => JSON.stringify({ kind: 'note', note, key: key.verifierKey })),
  )
  const ours = await Promise.all(
    notes.map((note) =>
      openNote(note, [parseVerifierKey(key.verifierKey)]).then(
        () => true,
        () => false,
      ),
    ),
  )
  assert.deepEqual(
    notes.filter((_, i) => ours[i] !== told[i]),
    [],
  )
  assert.ok(ours.filter(Boolean).length >= 100)
})

interface Check {
  kind: 'inclusion' | 'consistency'
  size: number
  root: Bytes
  index?: number
  leaf?: Bytes
  oldSize?: number
  oldRoot?: Bytes
  path: Bytes[]
}

function holds({ kind, size, root, index = 0, leaf, oldSize = 0, oldRoot, path }: Check): boolean {
  try {
    if (kind === 'inclusion') verifyInclusion({ index, size, leafHash: leaf!, path, root })
    else verifyConsistency({ oldSize, oldRoot: oldRoot!, newSize: size, newRoot: root, path })
    return true
  } catch (error) {
    if (error instanceof ProofError) return false
    throw error
  }
}

/** One thing about it is no longer true. */
function forge(check: Check): Check {
  const flip = (hash: Bytes): Bytes => {
    const forged = hash.slice()
    forged[randomInt(32)]! ^= 1 << randomInt(8)
    return forged
  }
  const { kind, size, root, index = 0, leaf, oldSize = 0, oldRoot, path } = check
  const at = randomInt(path.length + 1)
  const forgeries: Check[] = [
    { ...check, root: flip(root) },
    { ...check, path: [...path.slice(0, at), new Uint8Array(randomBytes(32)), ...path.slice(at)] },
    // Twice as large at least: to a tree that is a little larger the same path may lead.
    { ...check, size: 2 * size + randomInt(64) + 2 },
    kind === 'inclusion' ? { ...check, leaf: flip(leaf!) } : { ...check, oldRoot: flip(oldRoot!) },
    kind === 'inclusion' ? { ...check, index: index === 0 ? size : index - 1 } : { ...check, oldSize: oldSize + 1 },
  ]
  if (path.length > 0)
    forgeries.push(
      { ...check, path: path.slice(0, -1) },
      { ...check, path: path.map((hash, i) => (i === at % path.length ? flip(hash) : hash)) },
      { ...check, path: path.toReversed() },
    )
  return forgeries[randomInt(forgeries.length)]!
}

async function growTree(leaves: Bytes[]): Promise<ReadTile> {
  const tiles = new Map<string, Bytes>()
  const readTile: ReadTile = async (level, index, width) => tiles.get(`${level}/${index}`)!.subarray(0, width * 32)
  const grown = await appendLeaves(0, leaves, readTile)
  for (const { level, index, data } of grown.tiles) tiles.set(`${level}/${index}`, data)
  assert.ok(areEqual(grown.root, await computeRoot(leaves.length, readTile)))
  return readTile
}

async function ask(judge: string, lines: string[]): Promise<boolean[]> {
  const running = run(judge, ['proofs'], { maxBuffer: 64 << 20 })
  running.child.stdin?.end(`${lines.join('\n')}\n`)
  const { stdout } = await running
  return stdout
    .trimEnd()
    .split('\n')
    .map((answer) => answer === 'yes')
}
