import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { parsePolicy } from './log/policy.ts'
import { formatVerifierKey, signNote, computeKeyId } from './log/note.ts'
import { formatPaperKey } from './paper/paper-key.ts'
import { openReceipt, signReceipt, type Receipt } from './receipt.ts'
import { findReceipt, judgeReceipt } from './receipt-file.ts'
import { makeProofId } from './proof-id.ts'

const ORIGIN = 'proof.example/log'

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const bytes = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return {
    bytes,
    publicKey: formatPaperKey(bytes),
    sign: async (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
  }
}

const [key, logKey, stranger] = [makeKey(), makeKey(), makeKey()]
const log = parsePolicy(`log ${formatVerifierKey(ORIGIN, logKey.bytes)}\nquorum none\n`)
const policy = { log, paperKeys: [key.publicKey] }

const RECEIPT: Receipt = {
  proofId: makeProofId(new Uint8Array(32)),
  verdict: 'valid',
  at: 1_795_000_000,
  sha256: 'ab'.repeat(32),
  size: 12_345,
  expiresAt: 1_800_000_000,
  revokedAt: null,
  head: { origin: ORIGIN, size: 7, root: 'cd'.repeat(32) },
}

test('15.20 a receipt comes back as it was signed', async () => {
  for (const receipt of [
    RECEIPT,
    { ...RECEIPT, verdict: 'expired', expiresAt: 1 },
    { ...RECEIPT, verdict: 'revoked', revokedAt: 1_794_000_000, expiresAt: null },
  ] as const)
    assert.deepEqual(await openReceipt(await signReceipt(receipt, key), policy), receipt)
})

test('15.21 a receipt says what its one line says: with others below it, it is none, whoever signed them', async () => {
  const note = await signReceipt(RECEIPT, key)
  const [text] = note.split('\n\n')
  const name = `${ORIGIN}/receipts`
  const signer = { name, keyId: computeKeyId(name, key.bytes), sign: key.sign }
  assert.deepEqual(await openReceipt(await signNote(`${text}\n`, [signer]), policy), RECEIPT)
  for (const more of ['\nIt counts for another document, too\n', '\n\n', 'x\n'])
    await assert.rejects(openReceipt(await signNote(`${text}\n${more}`, [signer]), policy), { code: 'receipt' })
})

test('15.21 a receipt that was changed anywhere, or that others signed, is none', async () => {
  const note = await signReceipt(RECEIPT, key)
  for (let at = 0; at < note.length; at++) {
    const other = note[at] === 'x' ? 'y' : 'x'
    await assert.rejects(openReceipt(note.slice(0, at) + other + note.slice(at + 1), policy), { name: 'ProofError' })
  }
  // of the last letter of base 64 that counts, two bits mean nothing
  const last = note.lastIndexOf('=') - 1
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const loose = note.slice(0, last) + letters[letters.indexOf(note[last]!) + 1]! + note.slice(last + 1)
  await assert.rejects(openReceipt(loose, policy), { code: 'receipt' })
  await assert.rejects(openReceipt(await signReceipt(RECEIPT, stranger), policy), { code: 'log_trust' })
  await assert.rejects(openReceipt(note, { log, paperKeys: [] }), { code: 'log_trust' })
  const elsewhere = { ...RECEIPT, head: { ...RECEIPT.head, origin: 'other.example/log' } }
  await assert.rejects(openReceipt(await signReceipt(elsewhere, key), policy), { code: 'log_trust' })
})

test('15.21 what is no receipt in its one form is refused, whoever signed it', async () => {
  const name = `${ORIGIN}/receipts`
  const signer = { name, keyId: computeKeyId(name, key.bytes), sign: key.sign }
  const right = (await signReceipt(RECEIPT, key)).split('\n')[1] ?? ''
  const texts = [
    `${ORIGIN}\n7\n${'q'.repeat(43)}=\n`,
    `Proofdesk receipt v1\n${right.replace('"at"', '"bt"')}\n`,
    `Proofdesk receipt v1\n${right.replace('"verdict":"valid"', '"verdict":"revoked"')}\n`,
    `Proofdesk receipt v1\n${right.replace('{"at"', '{ "at"')}\n`,
    `Proofdesk receipt v1\n${right.replace('"size":12345', '"size":-1')}\n`,
    ...['"at":1795000000', '"exp":1800000000'].map(
      (time) => `Proofdesk receipt v1\n${right.replace(time, time.replace(/\d+/, '8640000000001'))}\n`,
    ),
    `Proofdesk receipt v1\n${right}\nmore\n`,
    `Proofdesk receipt v1\n{}\n`,
    `Proofdesk receipt v1\n[]\n`,
  ]
  for (const text of texts)
    await assert.rejects(openReceipt(await signNote(text, [signer]), policy), { code: 'receipt' })
  await assert.rejects(openReceipt(await signNote(`Proofdesk receipt v2\n${right}\n`, [signer]), policy), {
    code: 'newer',
  })
  for (const text of ['', 'x', '\n\n— a b\n', 'Proofdesk receipt v1\n'])
    await assert.rejects(openReceipt(text, policy), { name: 'ProofError' })
})

test('beside the line that signs it a receipt has no other', async () => {
  const note = await signReceipt(RECEIPT, key)
  const own = note.split('\n').at(-2)
  for (const line of [own, '\u2014 and_holds_also_for:another.pdf AAAAAAAAAAAA'])
    await assert.rejects(openReceipt(`${note}${line}\n`, policy), { code: 'receipt' })
})

test('a receipt is found in the file that it was kept in: as it is, with other ends of its last line, or within the answer of the API', async () => {
  const note = await signReceipt(RECEIPT, key)
  const found = (text: string) => findReceipt(new TextEncoder().encode(text))
  for (const text of [note, note.trimEnd(), `${note}\r\n\n`, JSON.stringify({ receipt: note })])
    assert.equal(found(text), note)
  assert.deepEqual(await judgeReceipt(note, policy), RECEIPT)
  assert.equal(await judgeReceipt(note.replace('"size":12345', '"size":12346'), policy), 'log_signature')
  for (const text of ['', '%PDF-1.7', '{', '{"receipt":7}', JSON.stringify({ other: note }), note + ' '.repeat(20_000)])
    assert.equal(found(text), undefined)
})
