import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLogKey } from '../testing/log-keys.ts'
import { addCosignatures, cosign } from './cosignature.ts'
import { formatCheckpoint } from './checkpoint.ts'
import { parseVerifierKey, SIGNATURE_TYPE, signNote } from './note.ts'
import { openCheckpoint } from './open-checkpoint.ts'
import { parsePolicy } from './policy.ts'
import { EMPTY_ROOT } from './tree.ts'

const log = makeLogKey('example.com/log')
const otherLog = makeLogKey('example.org/other')
const witness = makeLogKey('example.net/w1', SIGNATURE_TYPE.cosignature)
const policy = parsePolicy(
  `log ${log.verifierKey}\nlog ${otherLog.verifierKey}\nwitness w1 ${witness.verifierKey}\nquorum w1\n`,
)
const checkpoint = { origin: 'example.com/log', size: 0, root: EMPTY_ROOT }
const text = formatCheckpoint(checkpoint)

test('a checkpoint of a trusted log is opened, witnessed or not', async () => {
  const note = await signNote(text, [log.signer])
  assert.deepEqual(await openCheckpoint(note, policy), { checkpoint, cosignatures: [], isQuorumMet: false })
  const cosigned = await addCosignatures(
    note,
    [await cosign(text, witness.signer, 5)],
    parseVerifierKey(witness.verifierKey),
  )
  assert.deepEqual(await openCheckpoint(cosigned, policy), {
    checkpoint,
    cosignatures: [{ name: 'example.net/w1', time: 5 }],
    isQuorumMet: true,
  })
})

test('a checkpoint that only a witness, or another log of the policy, signed is refused', async () => {
  const byWitness = await signNote(text, [otherLog.signer])
  await assert.rejects(openCheckpoint(byWitness, policy), { name: 'ProofError', code: 'log_trust' })
  const cosignature = await cosign(text, witness.signer, 5)
  const alone = await signNote(text, [{ ...witness.signer, sign: async () => cosignature.signature }])
  await assert.rejects(openCheckpoint(alone, policy), { name: 'ProofError', code: 'log_trust' })
})

test('a signed note that is no checkpoint is refused', async () => {
  await assert.rejects(openCheckpoint(await signNote('any text\n', [log.signer]), policy), { code: 'log_checkpoint' })
})
