import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinBytes } from '../bytes.ts'
import { MAX_SECONDS } from '../seconds.ts'
import { makeLogKey } from '../testing/log-keys.ts'
import { testLogVectors } from '../testing/log-vectors.ts'
import { formatCheckpoint } from './checkpoint.ts'
import { addCosignatures, cosign } from './cosignature.ts'
import { formatNote, openNote, parseNote, parseVerifierKey, SIGNATURE_TYPE, signNote } from './note.ts'
import { EMPTY_ROOT } from './tree.ts'

const log = makeLogKey('example.com/log')
const [witness, other] = ['example.net/w1', 'example.net/w2'].map((name) =>
  makeLogKey(name, SIGNATURE_TYPE.cosignature),
)
const TEXT = formatCheckpoint({ origin: 'example.com/log', size: 0, root: EMPTY_ROOT })
const note = await signNote(TEXT, [log.signer])
const key = parseVerifierKey(witness!.verifierKey)

testLogVectors('cosignatures of other witnesses are opened, with their time', async ({ cosignature_v1 }) => {
  for (const { vkeys, note: text, time } of cosignature_v1.cases) {
    const { signatures } = await openNote(text, vkeys.map(parseVerifierKey))
    assert.deepEqual(
      signatures.map((signature) => signature.time),
      [time],
    )
  }
})

testLogVectors('a cosignature holds for its time and its checkpoint alone', async ({ cosignature_v1 }) => {
  for (const { vkeys, note: text } of cosignature_v1.cases) {
    const keys = vkeys.map(parseVerifierKey)
    const { text: body, signatures } = parseNote(text)
    const later = signatures.map((one) => ({ ...one, signature: one.signature.with(7, one.signature[7]! ^ 1) }))
    for (const changed of [formatNote(body, later), text.replace('\n300\n', '\n301\n')]) {
      await assert.rejects(openNote(changed, keys), { name: 'ProofError', code: 'log_signature' })
    }
  }
})

test('a witness puts its signature with its time under the log’s own', async () => {
  const signature = await cosign(TEXT, witness!.signer, 1_764_028_803)
  const cosigned = await addCosignatures(note, [signature], key)
  const { signatures } = await openNote(cosigned, [parseVerifierKey(log.verifierKey), key])
  assert.deepEqual(
    signatures.map(({ name, time }) => [name, time]),
    [
      ['example.com/log', null],
      ['example.net/w1', 1_764_028_803],
    ],
  )
  assert.equal(await addCosignatures(cosigned, [signature], key), cosigned)
})

test('of an answer only what the witness itself signed is taken over', async () => {
  const [own, foreign] = await Promise.all([witness!, other!].map(({ signer }) => cosign(TEXT, signer, 1)))
  const cosigned = await addCosignatures(note, [foreign!, own!], key)
  assert.deepEqual(
    parseNote(cosigned).signatures.map(({ name }) => name),
    ['example.com/log', 'example.net/w1'],
  )
  const elsewhere = await cosign(TEXT.replace('\n0\n', '\n7\n'), witness!.signer, 1)
  await assert.rejects(addCosignatures(note, [foreign!], key), { name: 'ProofError', code: 'log_trust' })
  for (const answer of [[elsewhere], [own!, elsewhere]]) {
    await assert.rejects(addCosignatures(note, answer, key), { name: 'ProofError', code: 'log_signature' })
  }
  await assert.rejects(addCosignatures(note, [], key), { code: 'log_note' })
})

test('a witness signs nothing but checkpoints, and at no time but a real one', async () => {
  await assert.rejects(cosign('any text\n', witness!.signer, 1), { name: 'ProofError', code: 'log_checkpoint' })
  for (const time of [0, -1, 0.5, Number.NaN, MAX_SECONDS + 1, 2 ** 53]) {
    await assert.rejects(cosign(TEXT, witness!.signer, time), { code: 'log_range' })
  }
})

test('a cosignature whose time no number holds exactly, or no date can tell, is refused', async () => {
  const signature = await cosign(TEXT, witness!.signer, 1)
  const last = await cosign(TEXT, witness!.signer, MAX_SECONDS)
  assert.equal((await openNote(formatNote(TEXT, [last]), [key])).signatures[0]?.time, MAX_SECONDS)
  const later = joinBytes(new Uint8Array(8), last.signature.subarray(8))
  new DataView(later.buffer).setBigUint64(0, BigInt(MAX_SECONDS + 1))
  for (const bytes of [signature.signature.with(0, 0x7f), later])
    await assert.rejects(openNote(formatNote(TEXT, [{ ...signature, signature: bytes }]), [key]), {
      name: 'ProofError',
      code: 'log_signature',
      message: /time/,
    })
})
