import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLogKey } from '../testing/log-keys.ts'
import { testLogVectors } from '../testing/log-vectors.ts'
import { listRecords, MemoryLog } from '../testing/memory-log.ts'
import { writeUtf8 } from '../utf8.ts'
import { formatCheckpoint } from './checkpoint.ts'
import { addCosignatures, cosign } from './cosignature.ts'
import { formatVerifierKey, parseVerifierKey, SIGNATURE_TYPE, signNote } from './note.ts'
import { proveConsistency } from './tiles.ts'
import { EMPTY_ROOT } from './tree.ts'
import {
  formatAddCheckpoint,
  formatAddCheckpointAnswer,
  judgeAddCheckpoint,
  parseAddCheckpoint,
  parseAddCheckpointAnswer,
  parseConflict,
  type AddCheckpointVerdict,
  type WitnessedLog,
} from './witness.ts'

const key = makeLogKey('example.com/log')
const witnessKey = makeLogKey('example.net/witness', SIGNATURE_TYPE.cosignature)

function startLog(origin = 'example.com/log', verifierKey = key.verifierKey): WitnessedLog {
  return { origin, keys: [parseVerifierKey(verifierKey)], size: 0, root: EMPTY_ROOT }
}

/** What a witness that remembers `log` does with a request. */
async function submit(log: WitnessedLog, body: string): Promise<AddCheckpointVerdict> {
  const request = parseAddCheckpoint(body)
  const verdict = await judgeAddCheckpoint(request.checkpoint.origin === log.origin ? log : undefined, request)
  if (verdict.status === 200) Object.assign(log, { size: verdict.checkpoint.size, root: verdict.checkpoint.root })
  return verdict
}

async function makeLog(entries: Parameters<MemoryLog['append']>[0]): Promise<MemoryLog> {
  const log = new MemoryLog()
  await log.append(entries)
  return log
}

async function writeRequest(log: MemoryLog, oldSize: number, signer = key.signer): Promise<string> {
  const text = formatCheckpoint({ origin: 'example.com/log', size: log.size, root: log.root })
  const path = oldSize < log.size ? await proveConsistency(oldSize, log.size, log.readTile) : []
  return formatAddCheckpoint({ oldSize, path, note: await signNote(text, [signer]) })
}

testLogVectors('a recorded conversation with another witness goes the same way', async ({ witness_conversation }) => {
  const { log, steps } = witness_conversation
  const publicKey = Uint8Array.from(Buffer.from(log.ed25519_pub_hex, 'hex'))
  const remembered = startLog(log.origin, formatVerifierKey(log.origin, publicKey))
  for (const { request, status, spec_v1_0_0_status, body_equals, body_contains } of steps) {
    const verdict = await submit(remembered, request)
    assert.equal(verdict.status, spec_v1_0_0_status ?? status)
    if (verdict.status === 409) assert.equal(`${verdict.size}\n`, body_equals)
    if (verdict.status !== 200) continue
    const signature = await cosign(verdict.text, { ...witnessKey.signer, name: 'example.com/witness' }, 1)
    assert.ok(formatAddCheckpointAnswer([signature]).startsWith(body_contains!))
  }
  assert.equal(steps.length, 9)
})

test('a witness goes along with a log that grows', async () => {
  const witnessed = startLog()
  const log = await makeLog(listRecords(0, 500))
  assert.equal((await submit(witnessed, await writeRequest(log, 0))).status, 200)
  await log.append(listRecords(500, 700))
  const verdict = await submit(witnessed, await writeRequest(log, 500))
  assert.equal(verdict.status, 200)
  assert.deepEqual([witnessed.size, witnessed.root], [700, log.root])
  assert.equal((await submit(witnessed, await writeRequest(log, 700))).status, 200)
})

test('a log that replaces, drops, inserts or forgets what the witness has seen is refused, whoever signs it', async () => {
  const witnessed = startLog()
  await submit(witnessed, await writeRequest(await makeLog(listRecords(0, 700)), 0))
  const entries = listRecords(0, 800)
  const forgeries: [what: string, status: number, entries: typeof entries, oldSize: number][] = [
    ['replaced', 422, entries.with(123, writeUtf8('forged')), 700],
    ['dropped', 422, entries.toSpliced(5, 1), 700],
    ['inserted', 422, entries.toSpliced(10, 0, writeUtf8('back-dated')), 700],
    ['forked', 409, [...listRecords(0, 600), ...listRecords(900, 1000)], 700],
    ['forked and grown', 422, [...listRecords(0, 600), ...listRecords(900, 1100)], 700],
    ['same size, other root', 409, [...listRecords(0, 699), writeUtf8('other')], 700],
    ['an older size', 409, listRecords(0, 600), 600],
    ['from nothing', 409, entries, 0],
  ]
  for (const [what, status, forged, oldSize] of forgeries) {
    const verdict = await submit(witnessed, await writeRequest(await makeLog(forged), oldSize))
    assert.equal(verdict.status, status, what)
  }
  assert.equal((await submit(witnessed, await writeRequest(await makeLog(entries), 700))).status, 200)
})

test('an empty tree has the root of nothing, and needs no path', async () => {
  const sign = async (size: number, root: typeof EMPTY_ROOT, path: (typeof EMPTY_ROOT)[]) => {
    const note = await signNote(formatCheckpoint({ origin: 'example.com/log', size, root }), [key.signer])
    return (await submit(startLog(), formatAddCheckpoint({ oldSize: 0, path, note }))).status
  }
  assert.equal(await sign(0, EMPTY_ROOT, []), 200)
  assert.equal(await sign(0, new Uint8Array(32), []), 422)
  assert.equal(await sign(3, EMPTY_ROOT, [EMPTY_ROOT]), 422)
})

test('an old size above the new one is a bad request, and an unsigned checkpoint is forbidden', async () => {
  const log = await makeLog(listRecords(0, 5))
  assert.equal((await submit(startLog(), await writeRequest(log, 6))).status, 400)
  const stranger = makeLogKey('example.com/log', SIGNATURE_TYPE.ed25519, new Uint8Array(32).fill(1))
  assert.equal((await submit(startLog(), await writeRequest(log, 0, stranger.signer))).status, 403)
  const forger = { ...key.signer, sign: async () => new Uint8Array(64) }
  assert.equal((await submit(startLog(), await writeRequest(log, 0, forger))).status, 403)
  assert.equal((await submit(startLog('example.com/unknown'), await writeRequest(log, 0))).status, 404)
})

test('a request of any other form is refused', async () => {
  const body = await writeRequest(await makeLog(listRecords(0, 5)), 3)
  const note = body.slice(body.indexOf('\n\n') + 2)
  const hash = `${Buffer.from(EMPTY_ROOT).toString('base64')}\n`
  const bodies = [
    '',
    '\n\n',
    note,
    `old 3\n${note}`,
    `old 03\n\n${note}`,
    `old -1\n\n${note}`,
    `old\n\n${note}`,
    `old 3 \n\n${note}`,
    `Old 3\n\n${note}`,
    `old 9007199254740992\n\n${note}`,
    `old 3\r\n\r\n${note}`,
    `old 3\nAAAA\n\n${note}`,
    `old 3\n${hash.replace('=', '')}\n${note}`,
    `old 3\n${hash.repeat(64)}\n${note}`,
    `old 3\n\n${note.trimEnd()}`,
    `old 3\n\nany text\n\n${note.slice(note.indexOf('\u2014'))}`,
    `old 3\n\n`,
    `old 3\n\n${'x'.repeat(1_200_000)}`,
  ]
  for (const text of bodies) {
    assert.throws(
      () => parseAddCheckpoint(text),
      { name: 'ProofError', code: /log_witness|log_note|log_checkpoint/ },
      text.slice(0, 99),
    )
  }
  assert.equal(parseAddCheckpoint(`old 3\n${hash.repeat(63)}\n${note}`).path.length, 63)
})

test('the answers of a witness are read in their one form', async () => {
  const log = await makeLog(listRecords(0, 5))
  const { note } = parseAddCheckpoint(await writeRequest(log, 0))
  const text = note.slice(0, note.indexOf('\n\n') + 1)
  const answer = formatAddCheckpointAnswer([await cosign(text, witnessKey.signer, 7)])
  const cosigned = await addCosignatures(
    note,
    parseAddCheckpointAnswer(answer),
    parseVerifierKey(witnessKey.verifierKey),
  )
  assert.equal(cosigned, note + answer)
  for (const body of ['', '\n', answer.trimEnd(), `${answer}\n`, 'signature\n', 'x'.repeat(200_000)]) {
    assert.throws(() => parseAddCheckpointAnswer(body), { name: 'ProofError', code: /log_witness|log_note/ })
  }
  assert.deepEqual([parseConflict('0\n'), parseConflict('700\n')], [0, 700])
  for (const body of ['', '\n', '700', '0700\n', '-1\n', '7\n\n', '9007199254740992\n', '1e3\n']) {
    assert.throws(() => parseConflict(body), { name: 'ProofError', code: 'log_witness' }, body)
  }
})
