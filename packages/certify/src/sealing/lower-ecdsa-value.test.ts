import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import test from 'node:test'
import { toHex } from '@proofdesk/proof/bytes'
import { readChildren, readOnlyElement } from '@proofdesk/proof/der'
import { lowerEcdsaValue } from './lower-ecdsa-value.ts'

const HALF = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n

test('Of two values for one signature the lower is written, whichever was made, and it is right', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let changed = 0
  for (let i = 0; i < 200; i++) {
    const text = Buffer.from(`text ${i}`)
    const made = sign('sha256', text, privateKey)
    const lower = lowerEcdsaValue(made)
    const [, s] = readChildren(readOnlyElement(lower))
    assert.ok(BigInt(`0x${toHex(s!.contents)}`) <= HALF)
    assert.ok(verify('sha256', text, publicKey, lower), `text ${i}`)
    assert.deepEqual(lowerEcdsaValue(lower), lower)
    if (!made.equals(lower)) changed++
  }
  assert.ok(changed > 50 && changed < 150, `${changed} of 200`)
})
