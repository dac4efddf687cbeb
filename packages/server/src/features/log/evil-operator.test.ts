import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { before, after, describe, test } from 'node:test'
import { makePdf, needJudge } from '@proofdesk/certify/testing'
import { areEqual } from '@proofdesk/proof/bytes'
import { ProofError } from '@proofdesk/proof/errors'
import { formatInstancePolicy, parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { formatCheckpoint, parseCheckpoint, type Checkpoint } from '@proofdesk/proof/log/checkpoint'
import { openNote, signNote } from '@proofdesk/proof/log/note'
import { parseProofExtra, formatProofExtra } from '@proofdesk/proof/log/proof-extra'
import { appendLeaves, proveConsistency, type ReadTile } from '@proofdesk/proof/log/tiles'
import { formatTlogProof, parseTlogProof } from '@proofdesk/proof/log/tlog-proof'
import { hashLeaf, verifyConsistency } from '@proofdesk/proof/log/tree'
import { judgeAddCheckpoint, parseAddCheckpoint, formatAddCheckpoint } from '@proofdesk/proof/log/witness'
import { comparePrinted } from '@proofdesk/proof/paper/compare-printed'
import { findPaperCode } from '@proofdesk/proof/paper/find-paper-code'
import { readPaperCode, signPaperCode } from '@proofdesk/proof/paper/paper-code'
import { verifyPaper } from '@proofdesk/proof/paper/verify-paper'
import { verifyDocument, type DocumentReport } from '@proofdesk/proof/verify-document'
import { verifySeal } from '@proofdesk/proof/verify-seal'
import { keepLogKey, type LogKey } from '../../log/keep-log-key.ts'
import { startTestServer, type TestServer } from '../../testing.ts'
import { judgeStored } from '../certificates/service.ts'
import { stateApproval } from '../certificates/state-approval.ts'
import { appendStatement } from '../../log/append-statement.ts'
import { proveLeaf } from '../../log/prove-leaf.ts'
import type { ProofFields } from '@proofdesk/proof/log/commitment'
import { printFirstPage, readPrintedCode } from '../../testing/printed-code.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'

// The operator holds every key, the database and the files, and cheats. Each test says who notices, by what evidence.

type Bytes = Uint8Array<ArrayBuffer>

interface Issued {
  proofid: string
  username: string
  pdf: Bytes
  report: DocumentReport
  /** The signed head that the PDF carries. */
  head: string
}

/** What a later verifier would be shown in place of the log as it was. */
interface History {
  head: string
  checkpoint: Checkpoint
  readTile: ReadTile
}

let server: TestServer
let key: LogKey
let ada: Issued
let bob: Issued
/** Entries of the honest log, and its newest head. */
let entries: Bytes[]
let newest: string
const ends: (() => Promise<void>)[] = []

before(async () => {
  server = await startTestServer({ after: (end) => ends.push(end) }, 'sqlite')
  key = await keepLogKey(server.deps.db, server.config)
  ada = await issue('ada')
  bob = await issue('bob')
  newest = (await server.deps.log.sign()).note
  const rows = await server.deps.db.selectFrom('log_entries').select('entry').orderBy('leaf_index').execute()
  entries = rows.map(({ entry }) => new TextEncoder().encode(entry))
})
after(async () => {
  for (const end of ends) await end()
})

async function issue(username: string): Promise<Issued> {
  const owner = await server.signIn(username)
  const sam = await server.signIn('sam', { is_staff: true })
  const id = await openCollection(owner)
  await addFile(owner, id, makePdf({ text: `Diploma of ${username}` }))
  must(await owner.post(`/collections/${id}/save/`), 200)
  const { proofid } = must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
  const answer = await server.inject(
    `/backend/api/v1/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid, username })}`,
  )
  const pdf = new Uint8Array(answer.rawPayload)
  const report = await judge(pdf)
  const { proof } = await verifySeal(pdf, { pins: [server.deps.log.signerFingerprint] })
  return { proofid, username, pdf, report, head: parseTlogProof(new TextDecoder().decode(proof!)).checkpoint }
}

/** As a stranger with the file and the policy of the installation. */
async function judge(pdf: Bytes, now = Date.now()): Promise<DocumentReport> {
  const policy = parseInstancePolicy(new Uint8Array((await server.inject('/log/instance-policy')).rawPayload))
  return verifyDocument(pdf, { policy, now })
}

async function rewrite(changed: readonly Bytes[]): Promise<History> {
  const tiles = new Map<string, Bytes>()
  const readTile: ReadTile = async (level, index, width) => tiles.get(`${level}/${index}`)!.slice(0, width * 32)
  const tree = await appendLeaves(0, changed.map(hashLeaf), readTile)
  for (const { level, index, data } of tree.tiles) tiles.set(`${level}/${index}`, data)
  const checkpoint = { origin: key.name, size: tree.size, root: tree.root }
  return { head: await signNote(formatCheckpoint(checkpoint), [key]), checkpoint, readTile }
}

const readHead = async (note: string): Promise<Checkpoint> =>
  parseCheckpoint((await openNote(note, [key.verifier])).text)

/** Whoever remembers a head asks for the way from it to the newest one; the operator answers as well as can be. */
async function isContinued(remembered: string, history: History): Promise<boolean> {
  const known = await readHead(remembered)
  if (known.size > history.checkpoint.size) return false
  if (known.size === history.checkpoint.size) return areEqual(known.root, history.checkpoint.root)
  try {
    verifyConsistency({
      oldSize: known.size,
      oldRoot: known.root,
      newSize: history.checkpoint.size,
      newRoot: history.checkpoint.root,
      path: await proveConsistency(known.size, history.checkpoint.size, history.readTile),
    })
    return true
  } catch (error) {
    if (error instanceof ProofError) return false
    throw error
  }
}

/** A witness that has signed the honest head. */
async function askWitness(history: History): Promise<number> {
  const seen = await readHead(newest)
  const oldSize = Math.min(seen.size, history.checkpoint.size)
  const path =
    oldSize === history.checkpoint.size
      ? []
      : await proveConsistency(oldSize, history.checkpoint.size, history.readTile)
  const request = parseAddCheckpoint(formatAddCheckpoint({ oldSize, path, note: history.head }))
  return (await judgeAddCheckpoint({ ...seen, keys: [key.verifier] }, request)).status
}

/** Two heads that the operator’s key has signed and that cannot both be true. */
async function expectEvidence(history: History, ...remembered: string[]): Promise<void> {
  for (const note of remembered) {
    assert.equal(await isContinued(note, history), false)
    // Both are signed by the same key: that is what can be printed and shown.
    assert.equal((await readHead(note)).origin, (await readHead(history.head)).origin)
  }
}

const say = (statement: object): Bytes => new TextEncoder().encode(JSON.stringify(statement))
const failedSteps = ({ steps }: DocumentReport) =>
  steps.flatMap(({ name, state }) => (state === 'failed' ? [name] : []))

describe('14.50 an operator who holds every key and cheats is noticed', () => {
  test('14.50 an honest log is continued, for holders, browsers and witnesses', async () => {
    const grown = await rewrite([...entries, say({ k: 'one more' })])
    for (const remembered of [ada.head, bob.head, newest]) assert.equal(await isContinued(remembered, grown), true)
    assert.equal(await askWitness(grown), 200)
    assert.deepEqual([ada.report.verdict, bob.report.verdict], ['valid', 'valid'])
  })

  for (const [fraud, cheat] of Object.entries({
    'edits a leaf': (all: Bytes[]) => all.with(2, say({ c: 'x'.repeat(43), k: 'approve', t: 1, v: 1 })),
    'deletes a leaf': (all: Bytes[]) => all.toSpliced(2, 1),
    'inserts a leaf with an old date': (all: Bytes[]) =>
      all.toSpliced(2, 0, say({ c: 'y'.repeat(43), k: 'approve', t: 1, v: 1 })),
    'puts leaves into another order': (all: Bytes[]) => [...all.slice(0, 2), all[3]!, all[2]!],
  }))
    test(`14.51 who ${fraud} is noticed by every holder of a PDF, every browser that was here, and a witness`, async () => {
      for (const more of [[], [say({ k: 'later' }), say({ k: 'later still' })]]) {
        const history = await rewrite([...cheat(entries), ...more])
        await expectEvidence(history, bob.head, newest)
        assert.ok([409, 422].includes(await askWitness(history)))
      }
    })

  test('14.52 who restores yesterday’s database and goes on has signed two heads of one size', async () => {
    const fork = await rewrite([...entries.slice(0, 3), say({ c: 'z'.repeat(43), k: 'approve', t: 9, v: 1 })])
    const [theirs, ours] = [await readHead(newest), await readHead(fork.head)]
    assert.equal(theirs.size, ours.size)
    assert.ok(!areEqual(theirs.root, ours.root))
    await expectEvidence(fork, newest, bob.head)
    // Who came before the fork notices nothing yet: that takes somebody who was there after it.
    assert.equal(await isContinued(ada.head, fork), true)
  })

  test('14.58 … and is convicted by a witness, which keeps both heads for anybody to read', async () => {
    const witness = await startTestServer({ after: (end) => ends.push(end) }, 'sqlite', {
      config: { witnessedLogs: [key.verifierKey] },
    })
    const send = async (note: string, oldSize: number) => {
      const payload = formatAddCheckpoint({ oldSize, path: [], note })
      return (await witness.inject({ method: 'POST', url: '/log/witness/add-checkpoint', payload })).statusCode
    }
    const { size } = await readHead(newest)
    assert.equal(await send(newest, 0), 200)
    const fork = await rewrite([...entries.slice(0, -1), say({ c: 'z'.repeat(43), k: 'approve', t: 9, v: 1 })])
    assert.deepEqual([await send(fork.head, 0), await send(fork.head, size)], [409, 409])
    const answer = (await witness.inject('/log/witness')).json() as { logs: { contradiction: string }[] }
    const heads = answer.logs[0]!.contradiction.split(/\n(?=proofdesk)/)
    const [one, other] = await Promise.all(heads.map(readHead))
    assert.deepEqual([one?.size, other?.size], [size, size])
    assert.ok(!areEqual(one!.root, other!.root))
    // What it signed before stays what it signs on.
    assert.equal(await send(newest, size), 200)
  })

  test('14.53 who replaces a stored PDF is noticed by the server that sends it, and by whoever receives it', async () => {
    const forged = ada.pdf.slice()
    forged[3000]! ^= 1
    const report = await judge(forged)
    assert.deepEqual([report.verdict, failedSteps(report)[0]], ['altered', 'seal'])
    const { db, blobs } = server.deps
    const { sealed_key } = await db
      .selectFrom('proofs')
      .select('sealed_key')
      .where('proofid', '=', ada.proofid)
      .executeTakeFirstOrThrow()
    for (const [bytes, status] of [
      [forged, 500],
      [ada.pdf, 200],
    ] as const) {
      const aside = blobs.temporaryPath()
      await writeFile(aside, bytes)
      await blobs.putFile(sealed_key!, aside)
      const answer = await server.inject(
        `/backend/api/v1/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid: ada.proofid, username: 'ada' })}`,
      )
      assert.equal(answer.statusCode, status)
    }
  })

  test('14.54 who swaps the files of two owners is noticed by the Proof ID and the name in them', async () => {
    const { fields } = await judge(bob.pdf)
    assert.notEqual(fields?.pid, ada.proofid)
    assert.deepEqual([fields?.pid, fields?.sub], [bob.proofid, 'bob'])
    const swapped = await server.deps.db.selectFrom('proofs').select(['proofid', 'sealed_key']).execute()
    const keyOf = (proofid: string) => swapped.find((row) => row.proofid === proofid)?.sealed_key ?? null
    await server.deps.db
      .updateTable('proofs')
      .set({ sealed_key: keyOf(bob.proofid) })
      .where('proofid', '=', ada.proofid)
      .execute()
    const answer = await server.inject(
      `/backend/api/v1/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid: ada.proofid, username: 'ada' })}`,
    )
    assert.notEqual(answer.statusCode, 200)
    await server.deps.db
      .updateTable('proofs')
      .set({ sealed_key: keyOf(ada.proofid) })
      .where('proofid', '=', ada.proofid)
      .execute()
  })

  test('14.55 who changes an expiry or a name in the proof of a PDF is noticed by its entry', async () => {
    const { proof } = await verifySeal(ada.pdf, { pins: [server.deps.log.signerFingerprint] })
    const carried = parseTlogProof(new TextDecoder().decode(proof!))
    const extra = parseProofExtra(carried.extra!)
    const longer = { ...extra, expiryDay: 47_000 }
    const renamed = {
      ...extra,
      disclosures: extra.disclosures.map((one) => {
        const [salt, name, value] = JSON.parse(Buffer.from(one, 'base64url').toString()) as [string, string, unknown]
        return Buffer.from(JSON.stringify([salt, name, name === 'sub' ? 'eve' : value])).toString('base64url')
      }),
    }
    for (const changed of [longer, renamed]) {
      const forged = new TextEncoder().encode(formatTlogProof({ ...carried, extra: formatProofExtra(changed) }))
      const sealed = await reseal(ada, forged)
      const report = await judge(sealed)
      assert.equal(report.verdict, 'altered')
      assert.ok(failedSteps(report).some((step) => step === 'inclusion' || step === 'entry'))
    }
  })

  test('14.56 who strips the proof, strips the seal, or appends a page is noticed by whoever has the file', async () => {
    const stripped = await reseal(ada, null)
    assert.equal((await judge(stripped)).verdict, 'not_found')
    // What the log was told of is never taken for older than the log.
    const { blobs, db } = server.deps
    const aside = blobs.temporaryPath()
    await writeFile(aside, stripped)
    await blobs.putFile('certified/stripped', aside)
    const { id } = await db
      .selectFrom('proofs')
      .select('id')
      .where('proofid', '=', ada.proofid)
      .executeTakeFirstOrThrow()
    const stored = await judgeStored(server.deps, 'certified/stripped', { id, proofid: ada.proofid })
    assert.deepEqual(stored, { isGenuine: false, told: 'not_found, proof no_proof' })
    const revision0 = ada.pdf.slice(
      0,
      (await verifySeal(ada.pdf, { pins: [server.deps.log.signerFingerprint] })).revision0Size,
    )
    assert.notEqual((await judge(revision0)).verdict, 'valid')
    const appended = new Uint8Array(Buffer.concat([ada.pdf, Buffer.from('\n9 0 obj\n<</Type/Page>>\nendobj\n%%EOF\n')]))
    assert.equal((await judge(appended)).verdict, 'altered')
  })

  test('14.57 who seals a document that was never approved has no entry of the log for it', async () => {
    // The genuine key seals bob’s revision 0 with ada’s proof.
    const { proof } = await verifySeal(ada.pdf, { pins: [server.deps.log.signerFingerprint] })
    const report = await judge(await reseal(bob, new Uint8Array(proof!)))
    assert.equal(report.verdict, 'altered')
    assert.ok(failedSteps(report).includes('entry'))
  })

  test('14.68 who gives one Proof ID to two documents is refused by the database, and convicted by the two files', async () => {
    const { db, engine } = server.deps
    const { id: _, ...row } = await db
      .selectFrom('proofs')
      .selectAll()
      .where('proofid', '=', ada.proofid)
      .executeTakeFirstOrThrow()
    await assert.rejects(db.insertInto('proofs').values(row).execute(), /unique/i)

    // Past the database: a statement of its own in the log, and bob's document sealed around it.
    const fields = { ...bob.report.fields, pid: ada.proofid } as ProofFields
    const { statement, disclosures } = stateApproval(row.seed, fields)
    const leafHash = await db.transaction().execute((transaction) => appendStatement(engine, transaction, statement))
    const place = await proveLeaf(server.deps, leafHash)
    const { time, expiryDay = null } = statement
    const extra = formatProofExtra({ layout: 1, time, expiryDay, disclosures, hidden: [], anchors: [] })
    const second = await reseal(bob, new TextEncoder().encode(formatTlogProof({ ...place, extra })))
    const [one, other] = [await judge(ada.pdf), await judge(second)]
    // Each holds by itself. Side by side they are two entries of one log, signed by its key, for one Proof ID.
    assert.deepEqual([one.verdict, other.verdict], ['valid', 'valid'])
    assert.equal(one.fields?.pid, other.fields?.pid)
    assert.notDeepEqual(one.fields?.doc, other.fields?.doc)
    const indexOf = ({ steps }: DocumentReport) => steps.find(({ name }) => name === 'inclusion')?.details['index']
    assert.ok(indexOf(one) !== undefined && indexOf(one) !== indexOf(other))
    // Whoever looks the Proof ID up gets one of them, and sees that the other is not it.
    const answer = await server.inject(
      `/backend/api/v1/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid: ada.proofid, username: 'ada' })}`,
    )
    assert.deepEqual(new Uint8Array(answer.rawPayload), ada.pdf)
  })
})

/** Seals the same revision 0 anew, with the genuine key, around another proof. */
async function reseal({ proofid }: Issued, proof: Bytes | null): Promise<Bytes> {
  const { db, blobs, certify } = server.deps
  const row = await db.selectFrom('proofs').selectAll().where('proofid', '=', proofid).executeTakeFirstOrThrow()
  const { path, release } = await blobs.openLocal(row.sealed_key!)
  const revision0 = (await readFile(path)).subarray(0, row.revision0_size)
  await release()
  const aside = blobs.temporaryPath()
  await writeFile(aside, revision0)
  const { update } = await certify.seal({
    path: aside,
    sha256: row.revision0_sha256,
    facts: row.revision0_facts,
    signedAt: row.approved_at,
    proof,
  })
  return new Uint8Array(Buffer.concat([revision0, update]))
}

describe('16.20 an operator who prints a certificate with another name is noticed', () => {
  /** What the code on the honest certificate says, as a scanner and a decoder of others read it. */
  const readCode = async ({ pdf }: Issued) => readPrintedCode(await printFirstPage(server, pdf))
  const readPolicy = async () =>
    parseInstancePolicy(new Uint8Array((await server.inject('/log/instance-policy')).rawPayload))

  test('16.20 who prints another name beside a genuine code is noticed by whoever reads both, and the code is the evidence', async (t) => {
    if (!needJudge(t, 'pdftoppm')) return
    const { claims, verdict } = await verifyPaper(await readCode(ada), { policy: await readPolicy(), now: Date.now() })
    assert.equal(verdict, 'valid')
    assert.equal(comparePrinted('username', claims!, 'eve'), false)
    assert.equal(comparePrinted('username', claims!, 'ada'), true)
    // The code of another certificate does not help: it names its own owner and Proof ID.
    const other = await verifyPaper(await readCode(bob), { policy: await readPolicy(), now: Date.now() })
    assert.equal(comparePrinted('username', other.claims!, 'eve'), false)
    assert.equal(comparePrinted('proofId', other.claims!, ada.proofid), false)
  })

  test('16.20 who signs a code with another name contradicts the log: noticed by the holder of the PDF, by two signed statements', async (t) => {
    if (!needJudge(t, 'pdftoppm')) return
    const policy = await readPolicy()
    const { claims } = readPaperCode(findPaperCode(await readCode(ada))!)
    const forged = await signPaperCode({ ...claims, username: 'eve' }, server.deps.paperKey)
    // The code alone tells nothing: the operator has the key.
    const onPaper = await verifyPaper(forged, { policy, now: Date.now() })
    assert.deepEqual([onPaper.verdict, onPaper.claims?.username], ['valid', 'eve'])
    // What the log has under that Proof ID is what its holder shows; one policy names both keys.
    const inLog = await judge(ada.pdf)
    assert.deepEqual([inLog.verdict, inLog.fields?.pid, inLog.fields?.sub], ['valid', onPaper.claims?.proofId, 'ada'])
    // Whoever looks it up finds nothing under the other name.
    const asked = new URLSearchParams({ proofid: ada.proofid, username: 'eve' })
    const answer = await server.inject(`/backend/api/v1/service-content-servers/get-pdfs/?${asked}`)
    assert.equal(answer.statusCode, 404)
  })

  test('16.20 who exchanges the key for paper has another policy, which every page that was here tells', async (t) => {
    if (!needJudge(t, 'pdftoppm')) return
    const policy = await readPolicy()
    const [own] = policy.paperKeys
    const exchanged = parseInstancePolicy(
      formatInstancePolicy({ ...policy, paperKeys: [Buffer.alloc(32, own).toString('base64url')] }),
    )
    assert.notEqual(exchanged.fingerprint, policy.fingerprint)
    const report = await verifyPaper(await readCode(ada), { policy: exchanged, now: Date.now() })
    assert.deepEqual([report.verdict, report.claims], ['not_found', null])
  })

  test('16.21 who steals the key for paper can sign no head of the log', async () => {
    const { paperKey } = server.deps
    const head = { origin: key.name, size: 99, root: new Uint8Array(32) }
    const forged = await signNote(formatCheckpoint(head), [{ name: key.name, keyId: key.keyId, sign: paperKey.sign }])
    await assert.rejects(openNote(forged, [key.verifier]), ProofError)
  })
})
