import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { makeLogKey } from '../testing/log-keys.ts'
import { testLogVectors } from '../testing/log-vectors.ts'
import {
  computeKeyId,
  formatNote,
  formatVerifierKey,
  openNote,
  parseNote,
  parseVerifierKey,
  SIGNATURE_TYPE,
  signNote,
} from './note.ts'

const log = makeLogKey('example.com/log')
const witness = makeLogKey('example.com/witness', SIGNATURE_TYPE.cosignature)
const keys = [parseVerifierKey(log.verifierKey)]
const TEXT = 'first line\n\nlast line\n'
const note = await signNote(TEXT, [log.signer])
const line = note.slice(TEXT.length + 1)

testLogVectors('notes that others signed are opened, and changed ones refused', async ({ signed_note }) => {
  for (const { vkeys, note: text, ok } of signed_note.cases) {
    const opened = openNote(text, vkeys.map(parseVerifierKey))
    if (ok) assert.equal(`${(await opened).text}\n`, text.slice(0, text.lastIndexOf('\u2014')))
    else await assert.rejects(opened, { name: 'ProofError', code: /log_signature|log_trust/ })
  }
})

testLogVectors('the published example is signed to the very same bytes', async ({ signed_note }) => {
  const { note: text, sign_check, vkeys } = signed_note.cases.find((vector) => vector.sign_check)!
  const [, name = '', key = ''] =
    /^PRIVATE\+KEY\+([^+]+)\+[0-9a-f]{8}\+(.+)$/.exec(sign_check!.published_example_skey) ?? []
  const { signer, verifierKey } = makeLogKey(name, 1, Buffer.from(key, 'base64').subarray(1))
  assert.equal(verifierKey, vkeys[0])
  assert.equal(await signNote(parseNote(text).text, [signer]), text)
})

testLogVectors('verifier keys of a wrong length or an unknown type are refused', ({ signed_note }) => {
  for (const key of signed_note.bad_vkeys.cases) {
    assert.throws(() => parseVerifierKey(key), { name: 'ProofError', code: 'log_note' })
  }
})

test('a note is read as it was written, empty lines in its text included', async () => {
  assert.equal(parseNote(note).text, TEXT)
  assert.equal(formatNote(TEXT, parseNote(note).signatures), note)
  const { text, signatures } = await openNote(note, keys)
  assert.equal(text, TEXT)
  assert.deepEqual(
    signatures.map(({ name, keyId, time }) => ({ name, keyId, time })),
    [{ name: 'example.com/log', keyId: log.signer.keyId, time: null }],
  )
})

test('signatures by unknown keys are ignored, also under a known name or a known ID', async () => {
  const sameName = makeLogKey('example.com/log', 1, new Uint8Array(32).fill(9))
  const other = makeLogKey('example.com/other')
  const sameId = { ...other.signer, keyId: log.signer.keyId }
  const crowd = await signNote(TEXT, [sameName.signer, sameId, other.signer, log.signer])
  assert.equal((await openNote(crowd, keys)).signatures.length, 1)
  await assert.rejects(openNote(await signNote(TEXT, [sameName.signer, sameId]), keys), { code: 'log_trust' })
})

test('sixteen signatures and more are read, and more than a hundred refused', async () => {
  const signers = (count: number) => Array.from({ length: count }, (_, i) => makeLogKey(`example.com/${i}`).signer)
  for (const count of [15, 99]) {
    const crowd = await signNote(TEXT, [...signers(count), log.signer])
    assert.equal((await openNote(crowd, keys)).signatures.length, 1)
  }
  await assert.rejects(signNote(TEXT, signers(101)), { name: 'ProofError', code: 'log_note' })
  assert.throws(() => parseNote(`${TEXT}\n${line.repeat(100_000)}`), { code: 'log_note' })
})

test('a wrong signature by a known key is refused, also beside a right one', async () => {
  const forged = { ...log.signer, sign: async () => new Uint8Array(64) }
  for (const signers of [[forged], [log.signer, forged], [forged, log.signer]]) {
    await assert.rejects(openNote(await signNote(TEXT, signers), keys), { name: 'ProofError', code: 'log_signature' })
  }
  for (const length of [1, 63, 65]) {
    const short = await signNote(TEXT, [{ ...log.signer, sign: async () => new Uint8Array(length) }])
    await assert.rejects(openNote(short, keys), { name: 'ProofError', code: 'log_signature' })
  }
})

test('the signature of a log is none of a witness, and the other way round', async () => {
  const { publicKey } = log
  const asWitness = parseVerifierKey(formatVerifierKey('example.com/log', publicKey, SIGNATURE_TYPE.cosignature))
  assert.notEqual(asWitness.keyId, log.signer.keyId)
  await assert.rejects(openNote(note, [asWitness]), { code: 'log_trust' })
  const renamed = await signNote(TEXT, [{ ...log.signer, keyId: asWitness.keyId }])
  await assert.rejects(openNote(renamed, [asWitness]), { code: 'log_signature' })
  const short = await signNote(TEXT, [{ ...log.signer, keyId: asWitness.keyId, sign: async () => new Uint8Array(7) }])
  await assert.rejects(openNote(short, [asWitness]), { name: 'ProofError', code: 'log_signature' })
})

test('every changed bit of a signed note is noticed', async () => {
  const bytes = Buffer.from(note)
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1 << (at % 7)
    if (isReadAlike(changed.toString())) continue
    await assert.rejects(openNote(changed.toString(), keys), { name: 'ProofError' }, `byte ${at}`)
  }
})

/** Whether only bits that base 64 leaves unused are others. */
function isReadAlike(changed: string): boolean {
  try {
    return isDeepStrictEqual(parseNote(changed), parseNote(note))
  } catch {
    return false
  }
}

test('text that is no signed note is refused', () => {
  const notes = [
    '',
    '\n',
    '\n\n',
    TEXT,
    `${TEXT}\n`,
    `${TEXT}\n\n`,
    `${TEXT}${line}`,
    `${TEXT}\n${line.trimEnd()}`,
    `${TEXT}\n${line}\n`,
    `${TEXT}\n${line}x\n`,
    `${TEXT}\n${line.replace('\u2014', '-')}`,
    `${TEXT}\n${line.replace('\u2014 ', '\u2014  ')}`,
    `${TEXT}\n${line.replace('example', 'exa+mple')}`,
    `${TEXT}\n${line.replace('example', 'exa\u2003mple')}`,
    `${TEXT}\n${line.replace('example', 'exa\uD800mple')}`,
    `${TEXT}\n\u2014 name \n`,
    `${TEXT}\n\u2014 name AAAA\n`,
    `${TEXT}\n\u2014 name AAAAAA==\n`,
    `${TEXT}\n\u2014 name AAAAAAAA=\n`,
    `a\tb\n\n${line}`,
    `a\r\n\n${line}`,
    `a\0\n\n${line}`,
    `\uDC00\n\n${line}`,
    `${'a'.repeat(1_000_001)}\n\n${line}`,
  ]
  for (const text of notes) {
    assert.throws(() => parseNote(text), { name: 'ProofError', code: 'log_note' }, JSON.stringify(text.slice(0, 99)))
  }
})

test('a text that no note can have is not signed', async () => {
  for (const text of ['', 'no newline', 'tab\t\n', 'return\r\n', '\uD800\n']) {
    await assert.rejects(signNote(text, [log.signer]), { name: 'ProofError', code: 'log_note' }, JSON.stringify(text))
  }
  await assert.rejects(signNote(TEXT, []), { code: 'log_note' })
})

test('a verifier key is read in its one form only', () => {
  const { verifierKey, publicKey, signer } = log
  assert.deepEqual(parseVerifierKey(verifierKey), {
    name: signer.name,
    keyId: signer.keyId,
    type: SIGNATURE_TYPE.ed25519,
    publicKey,
  })
  const [name = '', id = '', key = ''] = verifierKey.split('+', 2).concat(verifierKey.split('+').slice(2).join('+'))
  const wrong = [
    '',
    name,
    `${name}+${id}`,
    `+${id}+${key}`,
    `${name} x+${id}+${key}`,
    `${name}+${id.toUpperCase()}0+${key}`,
    `${name}+00000000+${key}`,
    `other+${id}+${key}`,
    `${verifierKey}\n`,
    `${verifierKey}=`,
    ` ${verifierKey}`,
    witness.verifierKey.replace('witness', 'log'),
    'x'.repeat(100_000),
  ]
  for (const text of wrong) assert.throws(() => parseVerifierKey(text), { name: 'ProofError', code: 'log_note' }, text)
  for (const bad of ['', 'a b', 'a+b', 'a\n']) {
    assert.throws(() => formatVerifierKey(bad, publicKey), { code: 'log_note' }, bad)
  }
  assert.throws(() => formatVerifierKey(name, publicKey.slice(1)), { code: 'log_note' })
  assert.throws(() => formatVerifierKey(name, publicKey, 6), { code: 'log_note' })
})

test('a key that is no point of the curve signs nothing', async () => {
  const publicKey = new Uint8Array(32).fill(0xff)
  const keyId = computeKeyId('example.com/log', publicKey)
  const key = parseVerifierKey(formatVerifierKey('example.com/log', publicKey))
  const signed = await signNote(TEXT, [{ ...log.signer, keyId }])
  await assert.rejects(openNote(signed, [key]), { name: 'ProofError', code: 'log_signature' })
})

test('two known keys of one name and one ID are refused', async () => {
  const twin = { ...keys[0]!, publicKey: witness.publicKey }
  await assert.rejects(openNote(note, [...keys, twin]), { name: 'ProofError', code: 'log_note' })
})

/** Neither a key that was never imported helps, nor one that is kept: the browser fails at what each of them needs. */
async function failToOpen(t: TestContext, fault: Error): Promise<void> {
  for (const method of ['importKey', 'verify'] as const) {
    const { signer, verifierKey } = method === 'importKey' ? makeLogKey('example.com/fresh') : log
    const signed = await signNote(TEXT, [signer])
    const mock = t.mock.method(crypto.subtle, method, async () => {
      throw fault
    })
    const refusal = fault instanceof DOMException ? { name: 'ProofError', code: 'unsupported' } : { name: fault.name }
    await assert.rejects(openNote(signed, [parseVerifierKey(verifierKey)]), refusal, method)
    mock.mock.restore()
  }
}

test('a browser that lacks Ed25519 says nothing about a note', (t) =>
  failToOpen(t, new DOMException('not supported', 'NotSupportedError')))

test('a fault of the program itself is not taken for a wrong signature', (t) => failToOpen(t, new TypeError('a fault')))
