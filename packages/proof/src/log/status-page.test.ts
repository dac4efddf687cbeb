import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBase64Url } from '../base64.ts'
import type { Bytes } from '../bytes.ts'
import { formatCanonicalJson, type JsonValue } from '../canonical-json.ts'
import { ANSWER_MAX_BYTES } from '../read-answer.ts'
import { hashSha256 } from '../sha256.ts'
import { addStatusPage, policy, showStatusPage, signCheckpoint, TIME } from '../testing/certified-example.ts'
import { listRecords, MemoryLog } from '../testing/memory-log.ts'
import { writeUtf8 } from '../utf8.ts'
import { formatStatement } from './statements.ts'
import {
  findStatusPage,
  formatStatusPage,
  makeStatusStatement,
  MAX_LATER_ENTRIES,
  openStatusPage,
  PAGE_BYTES,
  PAGE_ENTRIES,
  readStatusBit,
  writeStatusBits,
} from './status-page.ts'
import { listPeaks, MAX_ENTRY_BYTES } from './tiles.ts'
import { formatTlogProof, parseTlogProof } from './tlog-proof.ts'

async function makeLog(): Promise<MemoryLog> {
  const log = new MemoryLog()
  await log.append(listRecords(0, 9))
  return log
}

const STATUS = { page: 0, size: 9, time: TIME, bits: writeStatusBits(0, [0, 7, 8]) }

test('a page has one bit for each entry, the highest of a byte first', () => {
  assert.deepEqual([...STATUS.bits.subarray(0, 3)], [0b1000_0001, 0b1000_0000, 0])
  assert.equal(STATUS.bits.length, 16_384)
  assert.deepEqual(writeStatusBits(1, [0, 7, PAGE_ENTRIES + 15, 3 * PAGE_ENTRIES])[1], 1)
  assert.deepEqual([0, PAGE_ENTRIES - 1, PAGE_ENTRIES, 2 ** 40].map(findStatusPage), [0, 0, 1, 2 ** 23])
})

test('a page tells what is revoked, and says nothing of other pages and of entries that came later', () => {
  assert.deepEqual(
    [0, 1, 6, 7, 8].map((index) => readStatusBit(STATUS, index)),
    [true, false, false, true, true],
  )
  for (const index of [9, PAGE_ENTRIES, 2 ** 52]) assert.equal(readStatusBit(STATUS, index), undefined)
  const second = { ...STATUS, page: 1, size: PAGE_ENTRIES + 9, bits: writeStatusBits(1, [PAGE_ENTRIES + 8]) }
  assert.deepEqual(
    [PAGE_ENTRIES + 8, PAGE_ENTRIES + 7, 8].map((index) => readStatusBit(second, index)),
    [true, false, undefined],
  )
})

const open = (text: string) => openStatusPage(text, policy.log)

test('a page that the log has is opened, with all entries from its size to the head that it is shown under', async () => {
  const log = await makeLog()
  await addStatusPage(log, [0, 7, 8], { time: TIME })
  const before = await listPeaks(9, log.readTile)
  await log.append(listRecords(0, 20))
  const { checkpoint, cosignatures, isQuorumMet, index, later, peaks, ...status } = await open(
    await showStatusPage(log, STATUS),
  )
  assert.deepEqual(status, STATUS)
  assert.deepEqual([checkpoint.size, index], [30, 9])
  assert.ok(isQuorumMet && cosignatures.length === 1)
  assert.deepEqual(later, [formatStatement(makeStatusStatement(STATUS)), ...listRecords(0, 20)])
  assert.deepEqual(peaks, before)
})

test('a page may speak of the empty tree, of the whole log before it, or of any between', async () => {
  for (const size of [0, 1, 7, 8, 9]) {
    const log = await makeLog()
    const page = await open(await addStatusPage(log, [], { size }))
    assert.deepEqual([page.size, page.later.length], [size, 10 - size])
  }
})

/** The members of a page's `extra`. */
interface Members {
  [name: string]: unknown
  e: string[]
  h: string[]
}

test('a page with other bits, another time or size than the log has is refused, and so is one without what came after it', async () => {
  const log = await makeLog()
  await addStatusPage(log, [7])
  await log.append(listRecords(0, 3))
  const status = { ...STATUS, time: TIME + 5000, bits: writeStatusBits(0, [7]) }
  const page = parseTlogProof(await showStatusPage(log, status))
  const members = JSON.parse(Buffer.from(page.extra!).toString()) as Members
  const openChanged = (changed: Record<string, unknown>) =>
    open(formatTlogProof({ ...page, extra: writeUtf8(formatCanonicalJson(changed as Record<string, JsonValue>)!) }))
  await openChanged(members)
  const { e, h } = members
  assert.deepEqual([e.length, h.length], [4, 2])
  const without = (name: string) => Object.fromEntries(Object.entries(members).filter(([one]) => one !== name))
  const wrong: [code: string, changed: Record<string, unknown>][] = [
    ['log_inclusion', { ...members, b: Buffer.alloc(PAGE_BYTES).toString('base64url') }],
    ['log_inclusion', { ...members, p: 1 }],
    ['log_inclusion', { ...members, t: TIME }],
    ['log_status', { ...members, n: 10 }],
    ['log_status', { ...members, n: 8 }],
    ['log_status', { ...members, n: -1 }],
    ['log_status', { ...members, n: Number.MAX_SAFE_INTEGER }],
    ['log_status', { ...members, b: '' }],
    ['log_status', { ...members, b: Buffer.alloc(PAGE_BYTES + 1).toString('base64url') }],
    ['log_status', { ...members, b: '!' }],
    ['log_status', { ...members, b: 1 }],
    ['log_status', { ...members, z: 1 }],
    ['log_status', { ...members, p: '0' }],
    ['log_status', { ...members, v: '2' }],
    ['log_status', without('v')],
    ['log_status', without('e')],
    ['log_status', without('h')],
    ['log_status', {}],
    ['newer', { ...members, v: 3 }],
    // The first version, as it was.
    ['log_status', { b: members['b'], n: 9, p: 0, t: TIME + 5000, v: 1 }],
    ['log_status', { ...members, v: 1 }],
    // An entry is left out, anywhere; also where the size is moved to hide it.
    ...e.map((_, at): [string, Members] => ['log_status', { ...members, e: e.toSpliced(at, 1) }]),
    ['log_status', { ...members, n: 10, e: e.slice(1) }],
    // Another size with all that fits it, but for what the log has of the page.
    ['log_inclusion', { ...members, n: 8, e: ['record 8', ...e], h: [h[0]] }],
    // One is added, changed, or in the place of another.
    ['log_status', { ...members, e: [...e, 'record 9'] }],
    ['log_inclusion', { ...members, e: e.with(1, 'record 9') }],
    ['log_inclusion', { ...members, e: e.with(3, `${e[3]!} `) }],
    ['log_inclusion', { ...members, e: [e[0]!, e[2]!, e[1]!, e[3]!] }],
    ['log_inclusion', { ...members, e: e.with(0, 'record 9') }],
    ['log_inclusion', { ...members, e: [e[1]!, e[0]!, e[2]!, e[3]!] }],
    ['log_status', { ...members, e: 'record 9' }],
    ['log_status', { ...members, e: e.map((text) => [text]) }],
    ['log_status', { ...members, e: { length: 4 } }],
    // Other peaks.
    ['log_inclusion', { ...members, h: [] }],
    ['log_inclusion', { ...members, h: h.slice(1) }],
    ['log_inclusion', { ...members, h: [...h, h[0]] }],
    ['log_inclusion', { ...members, h: h.toReversed() }],
    ['log_inclusion', { ...members, h: [h[0], h[0]] }],
    ['log_inclusion', { ...members, h: [h[0], ''] }],
    ['log_inclusion', { ...members, h: [h[0], `${h[1]!}AAAA`] }],
    ['log_status', { ...members, h: [h[0], '!'] }],
    ['log_status', { ...members, h: [h[0], 1] }],
    ['log_status', { ...members, h: h.join('') }],
    ['log_status', { ...members, h: null }],
  ]
  for (const [code, changed] of wrong) {
    const told = JSON.stringify({ ...changed, b: '' }).slice(0, 300)
    await assert.rejects(openChanged(changed), { name: 'ProofError', code }, `${code} ${told}`)
  }
  for (const index of [8, 10, 13])
    await assert.rejects(open(formatTlogProof({ ...page, index })), { name: 'ProofError' }, String(index))
})

test('a page under the head of a smaller tree than it speaks of, or than its own entry needs, is refused', async () => {
  const log = await makeLog()
  const page = parseTlogProof(await addStatusPage(log, []))
  for (const size of [0, 8, 9]) {
    const small = new MemoryLog()
    await small.append(listRecords(0, size))
    const moved = { ...page, checkpoint: await signCheckpoint(small) }
    await assert.rejects(open(formatTlogProof(moved)), { name: 'ProofError', code: 'log_status' }, String(size))
  }
})

test('a page that the log has elsewhere than among the entries that came after is refused', async () => {
  const log = await makeLog()
  const page = parseTlogProof(await addStatusPage(log, []))
  // It stands at 9 of 10 by its path; under a tree of 11 the path would have to be another.
  await log.append(listRecords(0, 1))
  const shown = parseTlogProof(
    await showStatusPage(log, { ...STATUS, time: TIME + 5000, bits: writeStatusBits(0, []) }),
  )
  await assert.rejects(open(formatTlogProof({ ...shown, path: page.path })), { code: 'log_inclusion' })
  await assert.rejects(open(formatTlogProof({ ...shown, index: 10 })), { code: 'log_inclusion' })
})

test('a page brings at most 1024 entries, each as long as an entry may be, and is no longer than an answer that is read', async () => {
  const log = await makeLog()
  await addStatusPage(log, [0, 7, 8], { time: TIME })
  await log.append(listRecords(0, MAX_LATER_ENTRIES - 1))
  const most = await showStatusPage(log, STATUS)
  assert.equal((await open(most)).later.length, MAX_LATER_ENTRIES)
  await log.append(listRecords(0, 1))
  await assert.rejects(showStatusPage(log, STATUS), { name: 'ProofError', code: 'log_status' })
  const proof = { index: 9, path: [], checkpoint: 'any\n' }
  const write = (later: readonly Bytes[]) => formatStatusPage({ ...STATUS, peaks: [], later }, proof)
  write([new Uint8Array(MAX_ENTRY_BYTES).fill(65)])
  for (const later of [
    [new Uint8Array(MAX_ENTRY_BYTES + 1).fill(65)],
    [Uint8Array.of(0xff)],
    Array.from({ length: 15 }, () => new Uint8Array(MAX_ENTRY_BYTES).fill(65)),
  ])
    assert.throws(() => write(later), { name: 'ProofError', code: 'log_status' })
  // What is longer is not even looked at.
  await assert.rejects(open(most.padEnd(1_000_001, '\n')), { name: 'ProofError', code: 'log_status' })
})

test('1024 entries of the longest kind that instances write come in one answer', () => {
  const ref = Number.MAX_SAFE_INTEGER
  const commitment = toBase64Url(new Uint8Array(32))
  const longest = formatStatement({ kind: 'reinstate', ref, time: 253_402_300_799, commitment })
  const later = Array.from({ length: MAX_LATER_ENTRIES }, () => longest)
  const text = formatStatusPage({ ...STATUS, peaks: [], later }, { index: 9, path: [], checkpoint: 'any\n' })
  assert.ok(text.length < ANSWER_MAX_BYTES / 3, String(text.length))
})

test('a page of another length is not written', () => {
  const proof = { index: 9, path: [], checkpoint: 'any\n' }
  const after = { peaks: [], later: [] }
  const wrong = { ...STATUS, ...after, bits: new Uint8Array(PAGE_BYTES - 1) }
  assert.throws(() => makeStatusStatement(wrong), { name: 'ProofError', code: 'log_status' })
  assert.throws(() => formatStatusPage(wrong, proof), { code: 'log_status' })
  assert.throws(() => formatStatusPage({ ...STATUS, ...after, time: 0.5 }, proof), { code: 'log_statement' })
})

test('the log names a page by the SHA-256 of its bits', () => {
  const { hash } = makeStatusStatement(STATUS)
  assert.deepEqual(Buffer.from(hash, 'base64url'), Buffer.from(hashSha256(STATUS.bits)))
})
