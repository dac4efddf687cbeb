import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bytes } from './bytes.ts'
import { formatInstancePolicy, parseInstancePolicy } from './instance-policy.ts'
import { computeCommitment } from './log/commitment.ts'
import { SIGNATURE_TYPE } from './log/note.ts'
import { parseProofExtra } from './log/proof-extra.ts'
import { MAX_STATUS_AGE_SECONDS } from './log/status-page.ts'
import { formatStatement } from './log/statements.ts'
import { proveInclusion } from './log/tiles.ts'
import { formatTlogProof, parseTlogProof } from './log/tlog-proof.ts'
import {
  addStatusPage,
  certify,
  ENDS_AT,
  INDEX,
  policy,
  sealProof,
  signCheckpoint,
  TIME,
} from './testing/certified-example.ts'
import { expectVerdict, listCodes } from './testing/expect-verdict.ts'
import { makeLogKey } from './testing/log-keys.ts'
import { listRecords, MemoryLog } from './testing/memory-log.ts'
import { verifyDocument } from './verify-document.ts'

const NOW = (TIME + 10_000) * 1000
const honest = await certify()
const statusPage = await addStatusPage((await certify()).log, [])

const verify = (file: Bytes, page: string, now = NOW) => verifyDocument(file, { policy, now, statusPage: page })

/** The log as it was when it had fewer entries. */
async function startLog(size: number): Promise<MemoryLog> {
  const log = new MemoryLog()
  await log.append(honest.log.entries.slice(0, size))
  return log
}

test('a revoked document is revoked, also when it has expired since', async () => {
  const page = await addStatusPage((await certify()).log, [INDEX])
  await expectVerdict(verify(honest.file, page), 'revoked', { revocation: 'revoked' })
  await expectVerdict(verify(honest.file, page, ENDS_AT * 1000), 'revoked', {
    expiry: 'expired',
    revocation: 'revoked',
  })
})

test('a status page about other entries, of another log, or forged says nothing', async () => {
  const { log } = await certify()
  const stranger = makeLogKey('proofs.example.org/log', SIGNATURE_TYPE.ed25519, new Uint8Array(32).fill(5))
  const pages: [code: string, page: string][] = [
    ['status_silent', await addStatusPage(log, [INDEX], { page: 1 })],
    ['status_silent', await addStatusPage(await startLog(1), [INDEX])],
    ['log_trust', await addStatusPage(log, [INDEX], { signer: stranger.signer })],
    ['log_signature', statusPage.replace('\n5\n', '\n6\n')],
    ['log_proof', 'no page'],
    ['log_status', statusPage.replace(/extra .*\n/, '')],
    ['log_status', statusPage.replace('index 4', 'index 3')],
  ]
  for (const [code, page] of pages) {
    const report = await expectVerdict(verify(honest.file, page), 'valid', { revocation: code })
    assert.deepEqual(report.remarks, ['revocation_unknown'], code)
  }
})

test('14.89 a head of the same root and another size says nothing of a revocation: its places are those of other entries', async () => {
  const log = new MemoryLog()
  const extra = parseTlogProof((await certify()).proof).extra ?? assert.fail('no extra')
  const { disclosures, hidden, time, expiryDay } = parseProofExtra(extra)
  const commitment = computeCommitment(disclosures, hidden)
  const entry = formatStatement({ kind: 'approve', commitment, time, ...(expiryDay !== null && { expiryDay }) })
  await log.append([...listRecords(0, 8), entry, ...listRecords(9, 10)])
  // Of 11 leaves; under 7 with the same root its path leads to place 4 of them.
  const page = await addStatusPage(log, [8])
  const path = await proveInclusion(8, log.size, log.readTile)
  const seal = async (index: number, size: number, seenAt: number | null) =>
    sealProof(
      formatTlogProof({ index, path, checkpoint: await signCheckpoint({ size, root: log.root }, { seenAt }), extra }),
    )
  await expectVerdict(verify(await seal(8, log.size, TIME + 3), page), 'revoked', { revocation: 'revoked' })
  for (const seenAt of [null, TIME + 3]) {
    const report = await verify(await seal(4, 7, seenAt), page)
    assert.equal(listCodes(report).revocation, 'log_consistency')
    assert.ok(report.remarks.includes('revocation_unknown'))
  }
})

test('a status page that was made too long ago does not tell how it is now, but still what was revoked by then', async () => {
  const { log } = await certify()
  const page = await addStatusPage(log, [], { time: TIME })
  const limit = (TIME + MAX_STATUS_AGE_SECONDS) * 1000
  const passed = await verify(honest.file, page, limit)
  assert.equal(listCodes(passed).revocation, undefined)
  const report = await verify(honest.file, page, limit + 1000)
  await expectVerdict(report, report.verdict, { revocation: 'status_old' })
  assert.deepEqual(report.remarks, ['revocation_unknown'])
  const revoking = await addStatusPage((await certify()).log, [INDEX], { time: TIME })
  await expectVerdict(verify(honest.file, revoking, limit + 1000), 'revoked', { revocation: 'revoked' })
})

test('asked about a time before the status page was made, neither a revocation then nor that there was none is told', async () => {
  const madeAt = TIME + 5000
  const ask = async (revoked: number[], seconds: number, isAsked = true) => {
    const page = await addStatusPage((await certify()).log, revoked)
    const report = await verifyDocument(honest.file, { policy, now: seconds * 1000, isAsked, statusPage: page })
    return { report, details: report.steps.find(({ name }) => name === 'revocation')!.details }
  }
  // It may have been revoked then and reinstated since.
  const reinstated = await ask([], madeAt - 1)
  await expectVerdict(reinstated.report, 'valid', { revocation: 'status_later' })
  assert.deepEqual(reinstated.report.remarks, ['revocation_unknown'])
  assert.partialDeepStrictEqual(reinstated.details, { asOf: madeAt, isRevoked: false })
  // It may have been revoked only after that time.
  const revoked = await ask([INDEX], madeAt - 1)
  await expectVerdict(revoked.report, 'valid', { revocation: 'status_later' })
  assert.deepEqual(revoked.report.remarks, ['revocation_unknown'])
  assert.partialDeepStrictEqual(revoked.details, { asOf: madeAt, isRevoked: true })
  // From its own second on the page counts.
  assert.equal(listCodes((await ask([], madeAt)).report).revocation, undefined)
  await expectVerdict((await ask([INDEX], madeAt)).report, 'revoked', { revocation: 'revoked' })
  // A slow clock asks about no time.
  const slow = await ask([], madeAt - 60, false)
  assert.deepEqual([slow.report.remarks, slow.details['asOf']], [[], madeAt - 60])
  await expectVerdict((await ask([INDEX], madeAt - 60, false)).report, 'revoked', { revocation: 'revoked' })
})

test('a status page that was seen more than an hour ahead says no more than that it is revoked', async () => {
  const seenAt = TIME + 5000
  const ask = async (revoked: number[], seconds: number) =>
    verify(honest.file, await addStatusPage((await certify()).log, revoked, { seenAt }), seconds * 1000)
  const hour = seenAt - 60 * 60
  assert.equal(listCodes(await ask([], hour)).revocation, undefined)
  const report = await ask([], hour - 1)
  await expectVerdict(report, 'valid', { revocation: 'status_ahead' })
  assert.deepEqual(report.remarks, ['revocation_unknown'])
  assert.equal(report.steps.find(({ name }) => name === 'revocation')!.details['asOf'], seenAt)
  await expectVerdict(await ask([INDEX], hour - 1), 'revoked', { revocation: 'revoked' })
})

test('a status page under a tree that the witnesses of the policy have not signed says no more than that it is revoked', async () => {
  const ask = async (revoked: number[], changes: Parameters<typeof addStatusPage>[2]) =>
    verify(honest.file, await addStatusPage((await certify()).log, revoked, changes))
  // A witness that states no time does not say since when it is so.
  for (const changes of [{ seenAt: null }, { seenAt: null, ownSeenAt: TIME + 5003 }, { seenAt: 0 }]) {
    const report = await ask([], changes)
    await expectVerdict(report, 'valid', { revocation: 'status_unwitnessed' })
    assert.deepEqual(report.remarks, ['revocation_unknown'])
    await expectVerdict(ask([INDEX], changes), 'revoked', { revocation: 'revoked' })
  }
  await expectVerdict(ask([], { ownSeenAt: TIME + 5003 }), 'valid', {})
})

test('a document whose own tree the witnesses have not signed may stand in another log than their status page speaks of', async () => {
  const fields = { col: 'Never approved in the real log' }
  const log = await startLog(4)
  await log.append(listRecords(0, 1))
  // It speaks of more than the tree of the document, and so does not show how that one goes with its own.
  const page = await addStatusPage(log, [])
  for (const changes of [{ seenAt: null }, { seenAt: null, ownSeenAt: TIME + 3 }]) {
    const { file } = await certify({ ...changes, fields })
    const report = await expectVerdict(verify(file, page), 'valid', {
      witnesses: 'not_witnessed',
      time: 'time_stated',
      revocation: 'status_unwitnessed',
    })
    assert.ok(report.remarks.includes('revocation_unknown'))
    assert.equal((await verify(file, await addStatusPage(log, [INDEX]))).verdict, 'revoked')
    // Where it does, both heads convict the log.
    const codes = { witnesses: 'not_witnessed', time: 'time_stated', revocation: 'log_consistency' } as const
    await expectVerdict(verify(file, statusPage), 'valid', codes)
  }
})

test('a document is as witnessed as its status page where the tree of the page is shown to begin with its own', async () => {
  const { log, proof } = await certify()
  const move = async (seenAt: number | null) => {
    const path = await proveInclusion(INDEX, log.size, log.readTile)
    return sealProof(
      formatTlogProof({ ...parseTlogProof(proof), path, checkpoint: await signCheckpoint(log, { seenAt }) }),
    )
  }
  const unseen = await move(null)
  const page = await addStatusPage(log, [])
  const same = await move(null)
  for (const file of [unseen, same]) assert.equal(listCodes(await verify(file, page)).revocation, undefined)
  // The next page begins behind it.
  const next = await addStatusPage(log, [])
  assert.equal(listCodes(await verify(unseen, next)).revocation, 'status_unwitnessed')
  assert.equal(listCodes(await verify(same, next)).revocation, undefined)
})

test('a status page is as of when the first witness saw its head, whatever date it states', async () => {
  const seenAt = TIME + 4000
  for (const time of [TIME, seenAt, seenAt + 61, seenAt + 365 * 86_400]) {
    const page = await addStatusPage((await certify()).log, [], { time, seenAt })
    const report = await expectVerdict(verify(honest.file, page), 'valid', {})
    assert.equal(report.steps.find(({ name }) => name === 'revocation')!.details['asOf'], seenAt)
    const late = verify(honest.file, page, (seenAt + MAX_STATUS_AGE_SECONDS + 1) * 1000)
    await expectVerdict(late, 'valid', { revocation: 'status_old' })
  }
  // What a witness of the issuer states bounds nothing.
  const page = await addStatusPage((await certify()).log, [], { seenAt: TIME + 5000, ownSeenAt: TIME })
  const { steps } = await expectVerdict(verify(honest.file, page), 'valid', {})
  assert.equal(steps.find(({ name }) => name === 'revocation')!.details['asOf'], TIME + 5000)
})

test('a status page that fewer witnesses have seen than the policy asks for says no more than that it is revoked', async () => {
  const logPolicy = policy.logPolicy.replace('group any any w1 own\nquorum any', 'group all all w1 own\nquorum all')
  const strict = parseInstancePolicy(formatInstancePolicy({ ...policy, logPolicy }))
  const ask = async (revoked: number[], ownSeenAt: number | null) => {
    const page = await addStatusPage((await certify()).log, revoked, { ownSeenAt })
    return verifyDocument(honest.file, { policy: strict, now: NOW, statusPage: page })
  }
  assert.equal(listCodes(await ask([], null)).revocation, 'status_unwitnessed')
  assert.equal(listCodes(await ask([], TIME + 5003)).revocation, undefined)
  assert.equal((await ask([INDEX], null)).verdict, 'revoked')
})

test('a status page that no witness has seen says no more than that it is revoked where all that the policy asks for are the issuer’s own', async () => {
  const own = parseInstancePolicy(formatInstancePolicy({ ...policy, independentWitnesses: [] }))
  const ask = async (seenAt: number | null) => {
    const page = await addStatusPage((await certify()).log, [], { seenAt })
    return listCodes(await verifyDocument(honest.file, { policy: own, now: NOW, statusPage: page })).revocation
  }
  assert.deepEqual([await ask(null), await ask(TIME + 5003)], ['status_unwitnessed', undefined])
})

const ALONE = parseInstancePolicy(
  formatInstancePolicy({
    ...policy,
    logPolicy: policy.logPolicy.replace('quorum any', 'quorum none'),
    independentWitnesses: [],
  }),
)

test('where the policy names no witness, a status page needs none, and is as of the date that it states', async () => {
  const ask = async (time: number, now: number) => {
    const page = await addStatusPage((await certify()).log, [], { time, seenAt: null })
    const report = await verifyDocument(honest.file, { policy: ALONE, now: now * 1000, statusPage: page })
    return { code: listCodes(report).revocation, ...report.steps.at(-1)!.details }
  }
  const time = TIME + 5000
  assert.partialDeepStrictEqual(await ask(time, TIME + 10_000), { code: undefined, asOf: time })
  assert.partialDeepStrictEqual(await ask(time, time - 3600), { code: undefined, asOf: time - 3600 })
  assert.partialDeepStrictEqual(await ask(time, time - 3601), { code: 'status_ahead', asOf: time })
  assert.partialDeepStrictEqual(await ask(time, time + MAX_STATUS_AGE_SECONDS), { code: undefined })
  assert.partialDeepStrictEqual(await ask(time, time + MAX_STATUS_AGE_SECONDS + 1), { code: 'status_old', asOf: time })
})

test('a status page is asked for by its number alone; where there is none, or nobody answers, nothing is known', async () => {
  const asked: number[] = []
  const source = (answer: () => Promise<string | undefined>) => ({
    read(page: number) {
      asked.push(page)
      return answer()
    },
  })
  const ask = (answer: () => Promise<string | undefined>) =>
    verifyDocument(honest.file, { policy, now: NOW, statusPage: source(answer) })
  await expectVerdict(
    ask(async () => statusPage),
    'valid',
    {},
  )
  assert.deepEqual(asked, [0])
  await expectVerdict(
    ask(async () => undefined),
    'valid',
    { revocation: 'no_status' },
  )
  await expectVerdict(
    ask(() => Promise.reject(new Error('no network'))),
    'valid',
    { revocation: 'no_status' },
  )
  await expectVerdict(
    ask(async () => 'no page'),
    'valid',
    { revocation: 'log_proof' },
  )
  const other = verifyDocument(new Uint8Array(10), { policy, now: NOW, statusPage: source(async () => statusPage) })
  await expectVerdict(other, 'not_found', { revocation: 'not_reached' })
  assert.equal(asked.length, 4, 'nobody is asked about a file that is none of the log')
})

test('a status page that is older than one that was seen, whatever it says, is not believed', async () => {
  const { log } = await certify()
  const first = await addStatusPage(log, [INDEX])
  const second = await addStatusPage(log, [])
  let seen: number | undefined
  const statusSource = (page: string) => ({
    read: async () => page,
    meet: async (_origin: string, _page: number, size: number) => {
      const before = seen
      seen = Math.max(seen ?? 0, size)
      return before
    },
  })
  const ask = (page: string) => verifyDocument(honest.file, { policy, now: NOW, statusPage: statusSource(page) })
  await expectVerdict(ask(first), 'revoked', { revocation: 'revoked' })
  await expectVerdict(ask(second), 'valid', {})
  await expectVerdict(ask(second), 'valid', {})
  const report = await expectVerdict(ask(first), 'valid', { revocation: 'status_replayed' })
  assert.deepEqual(report.remarks, ['revocation_unknown'])
})

test('a status page from before the document’s own proof keeps nothing back: it is silent, or was given out before', async () => {
  const { log, proof } = await certify()
  const silent = await addStatusPage(await startLog(1), [])
  const covering = await addStatusPage(log, [])
  const revoking = await addStatusPage(log, [INDEX])
  const move = async () => {
    const path = await proveInclusion(INDEX, log.size, log.readTile)
    return sealProof(formatTlogProof({ ...parseTlogProof(proof), path, checkpoint: await signCheckpoint(log) }))
  }
  // A head of its own size is enough, and one entry less is not.
  const same = await addStatusPage(log, [])
  await expectVerdict(verify(await move(), same), 'valid', {})
  await log.append(listRecords(0, 1))
  const file = await move()
  await expectVerdict(verify(file, same), 'valid', { revocation: 'status_behind' })
  await expectVerdict(verify(file, silent), 'valid', { revocation: 'status_silent' })
  const report = await expectVerdict(verify(file, covering), 'valid', { revocation: 'status_behind' })
  assert.deepEqual(report.remarks, ['revocation_unknown'])
  await expectVerdict(verify(file, revoking), 'revoked', { revocation: 'revoked' })
  await expectVerdict(verify(file, await addStatusPage(log, [])), 'valid', {})
  // Whoever saw a newer one is still told that it is kept back.
  const seen = { read: async () => silent, meet: async () => log.size }
  const replayed = verifyDocument(file, { policy, now: NOW, statusPage: seen })
  await expectVerdict(replayed, 'valid', { revocation: 'status_replayed' })
})

test('a status page of another log, also of one that the policy trusts, says nothing about this one', async () => {
  const other = makeLogKey('other.example.org/log')
  const both = parseInstancePolicy(
    formatInstancePolicy({
      organisation: policy.organisation,
      logPolicy: `log ${other.verifierKey}\n${policy.logPolicy}`,
      independentWitnesses: policy.independentWitnesses,
      pins: policy.pins,
      statusUrl: null,
    }),
  )
  const { log } = await certify()
  const page = await addStatusPage(log, [INDEX], { signer: other.signer, origin: 'other.example.org/log' })
  const report = verifyDocument(honest.file, { policy: both, now: NOW, statusPage: page })
  await expectVerdict(report, 'valid', { revocation: 'log_status' })
})

test('a log that shows another tree of the same size with its status page is not believed', async () => {
  const fork = new MemoryLog()
  await fork.append(listRecords(0, 3))
  const page = await addStatusPage(fork, [])
  assert.equal(fork.size, honest.log.size)
  const report = await expectVerdict(verify(honest.file, page), 'valid', { revocation: 'log_consistency' })
  assert.deepEqual(report.remarks, ['revocation_unknown'])
  // Both heads are handed on: whoever has them can convict the log.
  const { details } = report.steps.find(({ name }) => name === 'revocation')!
  const heads = [honest.proof, page].map((text) => parseTlogProof(text).checkpoint)
  assert.deepEqual(details, { heads })
})
