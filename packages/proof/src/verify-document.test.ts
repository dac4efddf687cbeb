import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLatin1, writeLatin1, type Bytes } from './bytes.ts'
import { STEP_NAMES } from './document-verdict.ts'
import type { ProofExtra } from './log/proof-extra.ts'
import { computeExpiryDay } from './log/statements.ts'
import { SIGNATURE_TYPE } from './log/note.ts'
import {
  addStatusPage,
  certify,
  editDisclosure,
  ENDS_AT,
  FIELDS,
  INDEX,
  logKey,
  policy,
  revision0,
  sealProof,
  signCheckpoint,
  TIME,
  writeTime,
  type CertifyChanges,
} from './testing/certified-example.ts'
import { issueCertificate } from './testing/certificates.ts'
import { expectVerdict, listCodes } from './testing/expect-verdict.ts'
import { makeLogKey } from './testing/log-keys.ts'
import { sha256Hex, makeRevision0, OBJECTS, editBody } from './testing/write-revision0.ts'
import { verifyDocument } from './verify-document.ts'
import { verifySeal } from './verify-seal.ts'

const NOW = (TIME + 10_000) * 1000
const honest = await certify()
const statusPage = await addStatusPage((await certify()).log, [])

const verify = (file: Bytes, page?: string, now = NOW) =>
  verifyDocument(file, { policy, now, ...(page !== undefined && { statusPage: page }) })
const verifyChanged = async (changes: CertifyChanges) => verify((await certify(changes)).file, statusPage)

test('an honest document passes every step, in their order, and shows its fields', async () => {
  const report = await verify(honest.file, statusPage)
  assert.deepEqual(
    report.steps.map(({ name, state }) => [name, state]),
    STEP_NAMES.map((name) => [name, 'passed']),
  )
  assert.equal(report.verdict, 'valid')
  assert.deepEqual(report.remarks, [])
  assert.deepEqual(report.fields, FIELDS)
})

test('each step tells what it found', async () => {
  const { steps } = await verify(honest.file, statusPage)
  const details = Object.fromEntries(steps.map((step) => [step.name, step.details]))
  assert.equal(details['seal']!['revision0Sha256'], sha256Hex(revision0))
  assert.equal(details['inclusion']!['index'], INDEX)
  assert.equal(details['checkpoint']!['origin'], 'proofs.example.org/log')
  assert.deepEqual(details['time'], { statedAt: TIME, seenAt: TIME + 3 })
  assert.deepEqual(details['expiry'], { endsAt: ENDS_AT })
  assert.deepEqual(details['revocation'], { asOf: TIME + 5003, size: 5, page: 0 })
})

test('14.88 a proof with hidden fields shows the others, and is never plainly valid: one entry could stand for two documents', async () => {
  const codes = { entry: 'fields_hidden' }
  const report = await expectVerdict(verifyChanged({ hide: ['sub', 'by', 'col', 'pid'] }), 'valid', codes)
  assert.deepEqual(report.remarks, ['fields_hidden'])
  assert.deepEqual(Object.keys(report.fields!), ['dig', 'doc', 'exp', 'iat', 'note', 'org'])
  await expectVerdict(verifyChanged({ hide: ['doc'] }), 'altered', { entry: 'other_document' })
})

test('an entry that commits to fewer fields than there are, or to more, is none', async () => {
  const drop = (extra: ProofExtra) => ({ ...extra, disclosures: extra.disclosures.slice(1) })
  const add = (extra: ProofExtra) => ({ ...extra, hidden: ['A'.repeat(43)] })
  for (const editExtra of [drop, add])
    await expectVerdict(verifyChanged({ editExtra }), 'altered', { entry: 'log_commitment' })
})

test('14.87 a seal that states another time than the approval is not the seal of it, whenever its certificate was good', async () => {
  for (const signedAt of [
    'D:20200601000000Z',
    'D:20260102030200Z',
    'D:20260104000000Z',
    'D:20390101000000Z',
    'D:19691231235959Z',
  ])
    await expectVerdict(verifyChanged({ signedAt }), 'altered', { entry: 'other_time' })
  await expectVerdict(verifyChanged({ signedAt: 'D:20260102030406Z' }), 'valid', {})
})

test('without a status page nothing is known of a revocation, and that is said', async () => {
  const report = await expectVerdict(verify(honest.file), 'valid', { revocation: 'no_status' })
  assert.deepEqual(report.remarks, ['revocation_unknown'])
})

test('a document that no independent witness saw is valid, but not witnessed, and its time the issuer’s word', async () => {
  for (const changes of [{ seenAt: null }, { seenAt: null, ownSeenAt: TIME + 2 }]) {
    const codes = { witnesses: 'not_witnessed', time: 'time_stated' }
    const report = await expectVerdict(verifyChanged(changes), 'valid', codes)
    assert.deepEqual(report.remarks, ['not_witnessed', 'time_stated'])
  }
})

test('a document logged long after the time that it states is never plainly valid, and never called altered', async () => {
  for (const seenAt of [TIME + 86_401, TIME - 61]) {
    const report = await expectVerdict(verifyChanged({ seenAt }), 'valid', { time: 'time_outside' })
    assert.deepEqual(report.remarks, ['time_outside'])
  }
  const ownLies = await verifyChanged({ seenAt: TIME + 100_000, ownSeenAt: TIME + 2 })
  assert.deepEqual(ownLies.remarks, ['time_outside'])
})

test('a document expires at its second by the clock handed in', async () => {
  await expectVerdict(verify(honest.file, statusPage, ENDS_AT * 1000 - 1), 'valid', {})
  await expectVerdict(verify(honest.file, statusPage, ENDS_AT * 1000), 'expired', { expiry: 'expired' })
})

test('asked about a time before its approval, a document was not yet approved then; a slow clock is no such question', async () => {
  const ask = (now: number, more: object = {}) =>
    verifyDocument(honest.file, { policy, now, statusPage, isAsked: true, ...more })
  const report = await expectVerdict(ask(TIME * 1000 - 1), 'not_yet', { expiry: 'not_yet' })
  assert.deepEqual(report.steps.find(({ name }) => name === 'expiry')?.details, { approvedAt: TIME, endsAt: ENDS_AT })
  assert.ok(report.fields)
  assert.equal(listCodes(await expectVerdict(ask(TIME * 1000), 'valid', {})).expiry, undefined)
  await expectVerdict(ask(ENDS_AT * 1000), 'expired', { expiry: 'expired' })
  await expectVerdict(verify(honest.file, statusPage, 0), 'valid', {})
  // Nothing that was not in force can have been revoked, not even by a list that was made before.
  const page = await addStatusPage((await certify()).log, [INDEX], { time: TIME - 1 })
  const codes = { expiry: 'not_yet', revocation: 'revoked' }
  await expectVerdict(ask(TIME * 1000 - 1, { statusPage: page }), 'not_yet', codes)
  const later = await addStatusPage((await certify()).log, [INDEX])
  const early = ask(TIME * 1000 - 1, { statusPage: later })
  assert.deepEqual((await expectVerdict(early, 'not_yet', { revocation: 'status_later' })).remarks, [])
  const stated = await certify({ seenAt: null })
  const { verdict, remarks } = await verifyDocument(stated.file, { policy, now: 0, isAsked: true })
  assert.deepEqual([verdict, remarks], ['not_yet', ['not_witnessed', 'time_stated']])
})

test('where the expiry is hidden, the day in the log counts, and without any a document never expires', async () => {
  const day = computeExpiryDay(ENDS_AT) * 86_400
  const { file } = await certify({ hide: ['exp'] })
  await expectVerdict(verify(file, statusPage, day * 1000 - 1), 'valid', { entry: 'fields_hidden' })
  await expectVerdict(verify(file, statusPage, day * 1000), 'expired', { expiry: 'expired' })
  const endless = await certify({ fields: { exp: null }, expiryDay: null })
  await expectVerdict(verify(endless.file, undefined, 2 ** 52), 'valid', {})
})

test('one changed bit anywhere in the file leaves nothing valid', async () => {
  for (let at = 0; at < honest.file.length; at += 13) {
    const changed = honest.file.slice()
    changed[at]! ^= 1 << (at % 8)
    const { verdict, remarks } = await verify(changed, statusPage)
    assert.ok(['altered', 'not_found', 'newer'].includes(verdict), `byte ${at}: ${verdict}`)
    assert.deepEqual(remarks, [], 'nothing is vouched for')
  }
})

test('bytes after the seal, and a seal over other content, are altered', async () => {
  const longer = new Uint8Array([...honest.file, 10])
  await expectVerdict(verify(longer), 'altered', {
    seal: 'after_seal',
    proof: 'not_reached',
    revocation: 'not_reached',
  })
  const other = makeRevision0(editBody(OBJECTS.content, 'Certified', 'Forged 1!'))
  await expectVerdict(verifyChanged({ revision0: other }), 'altered', {
    entry: 'other_document',
    inclusion: 'not_reached',
  })
})

test('fields other than those that were logged are altered', async () => {
  const changed = await verifyChanged({ editExtra: (extra) => editDisclosure(extra, '"alice"', '"malory"') })
  await expectVerdict(changed, 'altered', { inclusion: 'log_inclusion' })
  assert.equal(changed.fields, null)
  await expectVerdict(verifyChanged({ editExtra: (extra) => ({ ...extra, time: TIME + 1 }) }), 'altered', {
    entry: 'other_time',
  })
})

test('an issuer whose fields state another time or expiry than the log is found out', async () => {
  const codes = { entry: 'other_time' }
  await expectVerdict(verifyChanged({ fields: { iat: writeTime(TIME - 86_400) } }), 'altered', codes)
  await expectVerdict(verifyChanged({ fields: { exp: writeTime(ENDS_AT + 86_400) } }), 'altered', codes)
  await expectVerdict(verifyChanged({ fields: { exp: null } }), 'altered', codes)
  await expectVerdict(verifyChanged({ expiryDay: null }), 'altered', codes)
})

test('a proof from elsewhere in the tree is altered', async () => {
  await expectVerdict(verifyChanged({ editProof: (proof) => ({ ...proof, index: 3 }) }), 'altered', {
    inclusion: 'log_inclusion',
  })
  await expectVerdict(verifyChanged({ editProof: (proof) => ({ ...proof, path: proof.path.slice(1) }) }), 'altered', {
    inclusion: 'log_inclusion',
  })
})

test('a checkpoint that the log did not sign is refused: altered under its key, not found under any other', async () => {
  const forger = { ...logKey.signer, sign: async () => new Uint8Array(64) }
  await expectVerdict(verifyChanged({ signer: forger }), 'altered', {
    checkpoint: 'log_signature',
    witnesses: 'not_reached',
  })
  const stranger = makeLogKey('proofs.example.org/log', SIGNATURE_TYPE.ed25519, new Uint8Array(32).fill(5))
  const report = await expectVerdict(verifyChanged({ signer: stranger.signer }), 'not_found', {
    checkpoint: 'log_trust',
  })
  assert.equal(report.fields, null)
  const bad = (await signCheckpoint(honest.log)).replace('\n4\n', '\n5\n')
  await expectVerdict(verifyChanged({ editProof: (proof) => ({ ...proof, checkpoint: bad }) }), 'altered', {
    checkpoint: 'log_signature',
  })
})

test('a seal by a certificate that the policy does not name is not this organisation’s', async () => {
  const signer = issueCertificate({ name: 'Sealer' })
  const report = await expectVerdict(verifyChanged({ sealer: { signer, chain: [] } }), 'not_found', {
    signer: 'x509_trust',
  })
  assert.equal(report.steps.find(({ name }) => name === 'seal')!.state, 'passed')
})

test('any other file is not found', async () => {
  const files = ['', 'text', '%PDF-1.7\n', readLatin1(revision0).replace('Certified', 'Certifie_')]
  for (const text of files) await expectVerdict(verify(writeLatin1(text)), 'not_found', {})
  await expectVerdict(verify(revision0), 'not_found', { seal: 'unsealed' })
  await expectVerdict(verify(sealProof(null)), 'not_found', { proof: 'no_proof', entry: 'not_reached' })
})

test('a file cut short is never valid', async () => {
  for (let length = 0; length < honest.file.length; length += 61) {
    const { verdict } = await verify(honest.file.slice(0, length), statusPage)
    assert.ok(['altered', 'not_found'].includes(verdict), `${length} bytes: ${verdict}`)
  }
})

test('an unknown layout is that of a newer version, never altered, also where nothing else can be read', async () => {
  const { file } = await certify({ editExtraText: (text) => text.replace('"l":1', '"l":2') })
  await expectVerdict(verify(file), 'newer', { proof: 'newer' })
  const unreadable = writeLatin1(readLatin1(file).replace('%PDF-1.7', '%PDF-9.9'))
  await expectVerdict(verify(unreadable), 'newer', { seal: 'newer' })
  const ours = writeLatin1(readLatin1(honest.file).replace('%PDF-1.7', '%PDF-9.9'))
  await expectVerdict(verify(ours), 'altered', { seal: 'rev0_layout' })
})

test('a proof of any other form is altered, whatever its bytes', async () => {
  const { proof } = honest
  const edits: ((text: string) => string)[] = [
    (text) => text.replace('index 2', 'index 02'),
    (text) => text.replace(/extra .*\n/, ''),
    (text) => text.replace(/extra .*\n/, 'extra AAAA\n'),
    (text) => `${text}\n`,
    (text) => text.slice(0, text.indexOf('\u2014')),
    (text) => text.replace(/\n4\n/, '\n4\nextension\n'),
    (text) => text.slice(0, 30),
  ]
  for (const edit of edits) {
    const report = await verify(sealProof(edit(proof)), statusPage)
    assert.equal(report.verdict, 'altered', edit.toString())
    assert.equal(report.fields, null)
  }
})

test('a page without WebCrypto says that it cannot check, not that the file is bad', async (t) => {
  t.mock.getter(Crypto.prototype, 'subtle', () => undefined as never)
  await expectVerdict(verify(honest.file), 'unavailable', { seal: 'unsupported' })
  await assert.rejects(verifySeal(honest.file, { pins: policy.pins }), { name: 'ProofError', code: 'unsupported' })
})

test('a browser without Ed25519, and a fault of the program itself, are told as such, not as faults of the file', async (t) => {
  const { verify: verifyAny } = crypto.subtle
  for (const fault of [new DOMException('no Ed25519', 'NotSupportedError'), new TypeError('a fault')]) {
    // Keys that were imported before are kept.
    const mock = t.mock.method(
      crypto.subtle,
      'verify',
      async function (this: SubtleCrypto, ...args: Parameters<typeof verifyAny>) {
        if (args[0] === 'Ed25519') throw fault
        return verifyAny.apply(this, args)
      },
    )
    await expectVerdict(verify(honest.file), 'unavailable', { checkpoint: 'unsupported' })
    mock.mock.restore()
  }
})

test('what this browser has too little memory for, or cannot do, is no fault of the file', async (t) => {
  for (const fault of [
    new DOMException('out of memory', 'OperationError'),
    new DOMException('no such hash', 'NotSupportedError'),
    new RangeError('Array buffer allocation failed'),
  ]) {
    const mock = t.mock.method(crypto.subtle, 'digest', () => Promise.reject(fault))
    await expectVerdict(verify(honest.file), 'unavailable', { seal: 'unsupported' })
    mock.mock.restore()
  }
})
