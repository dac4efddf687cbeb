import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstancePolicy, parseInstancePolicy } from './instance-policy.ts'
import { computeExpiryDay } from './log/statements.ts'
import { findStatusPage, PAGE_ENTRIES, writeStatusBits } from './log/status-page.ts'
import { proveInclusion } from './log/tiles.ts'
import { formatTlogProof, parseTlogProof } from './log/tlog-proof.ts'
import {
  addStatusPage,
  certify,
  ENDS_AT,
  INDEX,
  policy,
  sealProof,
  showStatusPage,
  signCheckpoint,
  TIME,
  writeChange,
  writeMove,
} from './testing/certified-example.ts'
import { expectVerdict } from './testing/expect-verdict.ts'
import { listRecords } from './testing/memory-log.ts'
import { writeUtf8 } from './utf8.ts'
import { verifyDocument, type DocumentReport, type StatusSource } from './verify-document.ts'

const SEEN_AT = TIME + 5003
const NOW = TIME + 10_000
const DAY = 86_400
const { file, proof } = await certify()

const ALONE = parseInstancePolicy(
  formatInstancePolicy({
    ...policy,
    logPolicy: policy.logPolicy.replace('quorum any', 'quorum none'),
    independentWitnesses: [],
  }),
)

/** A page of the document's log that was made before some entries came. */
async function makePage(
  later: readonly Uint8Array<ArrayBuffer>[],
  changes: { revoked?: number[]; size?: number; time?: number; seenAt?: number | null } = {},
): Promise<string> {
  const { log } = await certify()
  const { revoked = [], size = log.size, time = TIME + 1000, seenAt = SEEN_AT } = changes
  const status = { page: 0, size, time, bits: writeStatusBits(0, revoked) }
  await addStatusPage(log, [], status)
  await log.append(later)
  return showStatusPage(log, status, { seenAt })
}

const verify = (
  statusPage: string | StatusSource,
  now = NOW,
  more: { isAsked?: boolean; policy?: typeof policy } = {},
) => verifyDocument(file, { policy, now: now * 1000, statusPage, ...more })

const expect = (page: string, code: string | undefined, now = NOW, more = {}) =>
  code === undefined
    ? expectKnown(verify(page, now, more))
    : expectVerdict(verify(page, now, more), code === 'revoked' ? code : 'valid', { revocation: code })

/** Valid, and known not to be revoked. */
async function expectKnown(report: Promise<DocumentReport>): Promise<DocumentReport> {
  const told = await expectVerdict(report, 'valid', {})
  assert.equal(told.steps.at(-1)!.state, 'passed', JSON.stringify(told.steps.at(-1)))
  return told
}

test('14.91 a status page that was dated ahead, logged before a revocation, and is shown under a later head, says that it is revoked', async () => {
  const seenAt = TIME + DAY + 3
  const page = await makePage([writeChange('revoke', INDEX)], { time: TIME + DAY, seenAt })
  await expect(page, 'revoked', seenAt + 60)
})

test('14.91 a status page of today that speaks of a smaller tree, from before a revocation, says that it is revoked', async () => {
  const { log } = await certify()
  const { size } = log
  await log.append([writeChange('revoke', INDEX)])
  await expect(await addStatusPage(log, [], { size }), 'revoked')
})

test('14.91 of what came after a page the last revocation or reinstatement of the approval counts, and none of another', async () => {
  const [revoke, reinstate] = [writeChange('revoke', INDEX), writeChange('reinstate', INDEX)]
  for (const [code, later] of [
    ['revoked', [revoke]],
    [undefined, [revoke, reinstate]],
    ['revoked', [revoke, reinstate, revoke]],
    ['revoked', [reinstate, revoke]],
    [undefined, [reinstate]],
    [undefined, [writeChange('revoke', INDEX + 1), writeChange('revoke', INDEX - 1)]],
    [undefined, listRecords(0, 300)],
    ['revoked', [...listRecords(0, 300), revoke, ...listRecords(300, 600)]],
  ] as const)
    await expect(await makePage(later), code)
})

test('14.91 a reinstatement after the page clears no bit: why it is set, the next page tells', async () => {
  const page = await makePage([writeChange('reinstate', INDEX)], { revoked: [INDEX] })
  const { steps } = await expect(page, 'revoked')
  // As of the page, for the head knows better.
  assert.partialDeepStrictEqual(steps.at(-1)!.details, { asOf: TIME + 1000 })
})

test('14.91 an expiry that was moved after the page to before the one of the file ends it once that day is over', async () => {
  const sealed = computeExpiryDay(ENDS_AT)
  const day = Math.ceil(NOW / DAY)
  const move = (...days: (number | null)[]) => makePage(days.map((one) => writeMove(INDEX, one)))
  await expect(await move(day), undefined, day * DAY - 1)
  const { steps } = await expect(await move(day), 'revoked', day * DAY)
  assert.partialDeepStrictEqual(steps.at(-1)!.details, { asOf: day * DAY })
  await expect(await move(day - 1), 'revoked')
  // The last one counts.
  await expect(await move(day - 1, sealed), undefined)
  await expect(await move(day - 1, null), undefined)
  await expect(await move(null, day - 1), 'revoked')
  await expect(await move(sealed - 1), undefined)
  // Of one that is no earlier the file itself tells the end.
  const atEnd = { now: ENDS_AT + 2 * DAY, time: ENDS_AT, seenAt: ENDS_AT + DAY }
  for (const [later, codes] of [
    [[], { expiry: 'expired' }],
    [[writeMove(INDEX, sealed)], { expiry: 'expired' }],
    [[writeMove(INDEX, sealed + 1)], { expiry: 'expired' }],
    [[writeMove(INDEX, sealed - 1)], { expiry: 'expired', revocation: 'revoked' }],
  ] as const) {
    const page = await makePage(later, atEnd)
    await expectVerdict(verify(page, atEnd.now), 'revocation' in codes ? 'revoked' : 'expired', codes)
  }
  // An approval that never ends is ended by any day.
  const endless = await certify({ expiryDay: null, fields: { exp: null } })
  const { size } = endless.log
  await endless.log.append([writeMove(INDEX, sealed)])
  const page = await addStatusPage(endless.log, [], { size, time: ENDS_AT, seenAt: ENDS_AT + DAY })
  const judged = verifyDocument(endless.file, { policy, now: (ENDS_AT + 2 * DAY) * 1000, statusPage: page })
  await expectVerdict(judged, 'revoked', { revocation: 'revoked' })
})

test('14.92 an approval that came after the page is not revoked where nothing says so: fresh documents wait for no page', async () => {
  for (const size of [0, 1, INDEX]) {
    await expect(await makePage([], { size }), undefined)
    await expect(await makePage([writeChange('revoke', INDEX)], { size }), 'revoked')
  }
  // Its bit would speak of another.
  await expect(await makePage([], { size: INDEX, revoked: [INDEX] }), undefined)
})

test('14.92 a tree with something else in the place of the approval is of another past, and both heads are the evidence', async () => {
  const other = await certify({ fields: { col: 'Another title' } })
  for (const size of [INDEX, 4]) {
    const page = await addStatusPage(other.log, [], { size })
    const { steps } = await expect(page, 'log_consistency')
    const heads = [proof, page].map((text) => parseTlogProof(text).checkpoint)
    assert.deepEqual(steps.at(-1)!.details, { heads })
  }
  // Also where the tree of the document is the larger one.
  const { log } = await certify()
  await log.append(listRecords(0, 9))
  const path = await proveInclusion(INDEX, log.size, log.readTile)
  const larger = sealProof(formatTlogProof({ ...parseTlogProof(proof), path, checkpoint: await signCheckpoint(log) }))
  const page = await addStatusPage(other.log, [], { size: INDEX })
  assert.ok(other.log.size < log.size)
  const report = verifyDocument(larger, { policy, now: NOW * 1000, statusPage: page })
  await expectVerdict(report, 'valid', { revocation: 'log_consistency' })
})

test('14.91 entries of a kind that is not known here say nothing, unless they refer to the approval: then it is not known', async () => {
  const unknown = [
    '{"k":"extend","ref":3,"t":1764000000,"v":1}',
    '{"k":"revoke","t":1764000000,"v":2}',
    '{"k":"revoke","ref":"2","t":1764000000,"v":2}',
    '{"ref":-2}',
    '{"ref":20}',
    '{"k":"genesis","o":"\\"ref\\":2","t":1,"v":1}',
    'ref 2',
    '[2]',
    '',
  ].map(writeUtf8)
  await expect(await makePage(unknown), undefined)
  const known = Buffer.from(writeChange('revoke', INDEX)).toString()
  for (const text of [
    '{"k":"revoke","ref":2,"t":1764000000,"v":2}',
    '{"k":"suspend","ref":2,"v":1}',
    '{"ref":2}',
    // Forms in which some programs read JSON, and others do not.
    '{ "ref" :\t2 }',
    known.replace('"ref":2', '"ref":2.0'),
    known.replace('"ref":2', '"ref":2,"ref":3'),
    known.replace('"v":1', '"v":1,"x":NaN'),
    known.replace('"v":1', '"v":true'),
    known.replace('"v":1', `"v":1,"z":${'9'.repeat(5000)}`),
    known.replace('"v":1', `"v":1,"z":${'['.repeat(30_000)}${']'.repeat(30_000)}`),
    `\ufeff${known}`,
    `${known}\n`,
  ]) {
    const { remarks } = await expect(await makePage([writeUtf8(text)]), 'newer')
    assert.deepEqual(remarks, ['revocation_unknown'])
    await expect(await makePage([writeUtf8(text), writeChange('revoke', INDEX)]), 'revoked')
    await expect(await makePage([writeUtf8(text)], { revoked: [INDEX] }), 'revoked')
  }
})

test('asked about a time between the page and its head, nothing is told only where something came about the approval', async () => {
  const ask = (page: string, at: number) => verify(page, at, { isAsked: true })
  const madeAt = TIME + 1000
  // Nothing came, so it stood then as it does now.
  const quiet = await makePage([])
  for (const at of [madeAt, SEEN_AT - 1, SEEN_AT]) {
    const { steps } = await expectKnown(ask(quiet, at))
    assert.partialDeepStrictEqual(steps.at(-1)!.details, { asOf: at })
  }
  await expectVerdict(ask(quiet, madeAt - 1), 'valid', { revocation: 'status_later' })
  for (const [later, isRevoked] of [
    [[writeChange('revoke', INDEX)], true],
    [[writeChange('revoke', INDEX), writeChange('reinstate', INDEX)], false],
    [[writeMove(INDEX, Math.floor(TIME / DAY))], true],
  ] as const) {
    const page = await makePage(later)
    const { steps } = await expectVerdict(ask(page, SEEN_AT - 1), 'valid', { revocation: 'status_later' })
    assert.partialDeepStrictEqual(steps.at(-1)!.details, { asOf: SEEN_AT, isRevoked })
    const then = ask(page, SEEN_AT)
    await (isRevoked ? expectVerdict(then, 'revoked', { revocation: 'revoked' }) : expectKnown(then))
  }
  // Of a bit it is known from the page on.
  await expectVerdict(ask(await makePage([], { revoked: [INDEX] }), madeAt), 'revoked', { revocation: 'revoked' })
  // Without a witness the entries themselves say when.
  const page = await makePage([writeChange('revoke', INDEX, TIME + 2000)], { seenAt: null })
  const alone = (at: number) => verify(page, at, { isAsked: true, policy: ALONE })
  await expectVerdict(alone(TIME + 1999), 'valid', { revocation: 'status_later', ...UNSEEN_LATER })
  await expectVerdict(alone(TIME + 2000), 'revoked', { revocation: 'revoked', ...UNSEEN_LATER })
  const moved = await makePage([writeMove(INDEX, Math.floor(TIME / DAY), TIME + 2000)], { seenAt: null })
  const aloneMoved = (at: number) => verify(moved, at, { isAsked: true, policy: ALONE })
  await expectVerdict(aloneMoved(TIME + 1999), 'valid', { revocation: 'status_later', ...UNSEEN_LATER })
  await expectVerdict(aloneMoved(TIME + 2000), 'revoked', { revocation: 'revoked', ...UNSEEN_LATER })
  // The latest of their times counts, in whatever order they state them.
  for (const times of [
    [2000, 3000],
    [3000, 2000],
  ] as const) {
    const changed = await makePage(
      [writeChange('revoke', INDEX, TIME + times[0]), writeChange('reinstate', INDEX, TIME + times[1])],
      { seenAt: null },
    )
    const between = verify(changed, TIME + 2999, { isAsked: true, policy: ALONE })
    await expectVerdict(between, 'valid', { revocation: 'status_later', ...UNSEEN_LATER })
    const { steps } = await verify(changed, TIME + 3000, { isAsked: true, policy: ALONE })
    assert.equal(steps.at(-1)!.state, 'passed')
  }
})

test('a page that is dated ahead of its head was there when that was seen, and what is told is no newer than now', async () => {
  const asOf = async (revoked: number[], now: number, isAsked: boolean) => {
    const { verdict, steps } = await verify(await makePage([], { revoked, time: TIME + DAY }), now, { isAsked })
    return [verdict, steps.at(-1)!.code, steps.at(-1)!.details['asOf']]
  }
  for (const isAsked of [true, false]) {
    assert.deepEqual(await asOf([], SEEN_AT, isAsked), ['valid', undefined, SEEN_AT])
    assert.deepEqual(await asOf([INDEX], SEEN_AT, isAsked), ['revoked', 'revoked', SEEN_AT])
  }
  assert.deepEqual(await asOf([INDEX], SEEN_AT - 60, false), ['revoked', 'revoked', SEEN_AT - 60])
  assert.deepEqual(await asOf([INDEX], SEEN_AT - 60, true), ['valid', 'status_later', SEEN_AT])
})

/** Where nobody but the log is asked, nobody confirms the document either. */
const UNSEEN_LATER = { witnesses: 'not_witnessed', time: 'time_stated' } as const

test('14.93 whoever was shown that something was said about the page is not shown less, though a head more or less is no matter', async () => {
  let seen: number | undefined
  const source = (page: string): StatusSource => ({
    read: async () => page,
    meet: async (_origin, _page, size) => {
      const before = seen
      seen = Math.max(seen ?? 0, size)
      return before
    },
  })
  const { log } = await certify()
  const status = { page: 0, size: log.size, time: TIME + 1000, bits: writeStatusBits(0, []) }
  const first = await addStatusPage(log, [], status)
  await log.append([...listRecords(0, 5), writeChange('revoke', PAGE_ENTRIES + 1)])
  const grown = await showStatusPage(log, status)
  await log.append([writeChange('revoke', INDEX)])
  const revoking = await showStatusPage(log, status)
  assert.equal(findStatusPage(PAGE_ENTRIES + 1), 1)
  for (const page of [grown, first, grown]) await expectKnown(verify(source(page)))
  assert.equal(seen, 5)
  await expectVerdict(verify(source(revoking)), 'revoked', { revocation: 'revoked' })
  for (const page of [first, grown])
    await expectVerdict(verify(source(page)), 'valid', { revocation: 'status_replayed' })
  // Of several it is the last that may not be missing.
  await log.append([writeChange('reinstate', INDEX), writeChange('revoke', INDEX)])
  await expectVerdict(verify(source(await showStatusPage(log, status))), 'revoked', { revocation: 'revoked' })
  assert.equal(seen, log.size)
  // The same page under a later head hides nothing.
  await log.append([writeChange('reinstate', INDEX)])
  await expectKnown(verify(source(await showStatusPage(log, status))))
  // What was remembered by the size that a page spoke of is never more than its head has.
  seen = status.size
  await expectKnown(verify(source(await showStatusPage(log, status))))
})
