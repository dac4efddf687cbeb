import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSha256 } from '../sha256.ts'
import { addStatusPage, policy, TIME } from '../testing/certified-example.ts'
import { listRecords, MemoryLog } from '../testing/memory-log.ts'
import { writeUtf8 } from '../utf8.ts'
import {
  findStatusPage,
  formatStatusPage,
  isRevoked,
  makeStatusStatement,
  openStatusPage,
  PAGE_BYTES,
  PAGE_ENTRIES,
  writeStatusBits,
} from './status-page.ts'
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
    [0, 1, 6, 7, 8].map((index) => isRevoked(STATUS, index)),
    [true, false, false, true, true],
  )
  for (const index of [9, PAGE_ENTRIES, 2 ** 52]) assert.equal(isRevoked(STATUS, index), undefined)
  const second = { ...STATUS, page: 1, size: PAGE_ENTRIES + 9, bits: writeStatusBits(1, [PAGE_ENTRIES + 8]) }
  assert.deepEqual(
    [PAGE_ENTRIES + 8, PAGE_ENTRIES + 7, 8].map((index) => isRevoked(second, index)),
    [true, false, undefined],
  )
})

test('a page that the log has is opened', async () => {
  const opened = await openStatusPage(await addStatusPage(await makeLog(), [0, 7, 8], { time: TIME }), policy.log)
  const { checkpoint, cosignatures, isQuorumMet, ...status } = opened
  assert.deepEqual(status, STATUS)
  assert.equal(checkpoint.size, 10)
  assert.ok(isQuorumMet && cosignatures.length === 1)
})

test('a page with other bits, another time or size than the log has is refused', async () => {
  const page = parseTlogProof(await addStatusPage(await makeLog(), [7]))
  const members = JSON.parse(Buffer.from(page.extra!).toString()) as Record<string, unknown>
  const open = (changed: Record<string, unknown>) =>
    openStatusPage(formatTlogProof({ ...page, extra: writeUtf8(JSON.stringify(changed)) }), policy.log)
  await open(members)
  const wrong: [code: string, changed: Record<string, unknown>][] = [
    ['log_inclusion', { ...members, b: Buffer.alloc(PAGE_BYTES).toString('base64url') }],
    ['log_inclusion', { ...members, n: 8 }],
    ['log_inclusion', { ...members, p: 1 }],
    ['log_inclusion', { ...members, t: TIME }],
    ['log_status', { ...members, n: 10 }],
    ['log_status', { ...members, b: '' }],
    ['log_status', { ...members, b: Buffer.alloc(PAGE_BYTES + 1).toString('base64url') }],
    ['log_status', { ...members, b: '!' }],
    ['log_status', { ...members, b: 1 }],
    ['log_status', { ...members, z: 1 }],
    ['log_status', { ...members, p: '0' }],
    ['log_status', { ...members, v: '1' }],
    ['log_status', { b: members['b'], n: 9, p: 0, t: 1 }],
    ['log_status', {}],
    ['newer', { ...members, v: 2 }],
  ]
  for (const [code, changed] of wrong) {
    await assert.rejects(open(changed), { name: 'ProofError', code }, `${code} ${Object.keys(changed).join()}`)
  }
})

test('a page of another length is not written', () => {
  const wrong = { ...STATUS, bits: new Uint8Array(PAGE_BYTES - 1) }
  assert.throws(() => makeStatusStatement(wrong), { name: 'ProofError', code: 'log_status' })
  assert.throws(() => formatStatusPage(wrong, { index: 9, path: [], checkpoint: 'any\n' }), { code: 'log_status' })
  assert.throws(() => formatStatusPage({ ...STATUS, time: 0.5 }, { index: 9, path: [], checkpoint: 'any\n' }), {
    code: 'log_statement',
  })
})

test('the log names a page by the SHA-256 of its bits', () => {
  const { hash } = makeStatusStatement(STATUS)
  assert.deepEqual(Buffer.from(hash, 'base64url'), Buffer.from(hashSha256(STATUS.bits)))
})
