import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openSecretBox } from './secret-box.ts'

const KEY = randomBytes(32)
const box = openSecretBox(KEY)

test('a sealed secret comes back, and no two seals are alike', () => {
  const one = box.seal('JBSWY3DP', 'authenticator 1')
  const other = box.seal('JBSWY3DP', 'authenticator 1')
  assert.notEqual(one, other)
  assert.equal(box.open(one, 'authenticator 1'), 'JBSWY3DP')
  assert.equal(box.open(other, 'authenticator 1'), 'JBSWY3DP')
})

test('it opens under no other purpose, no other key, and not when a single bit is another', () => {
  const sealed = box.seal('JBSWY3DP', 'authenticator 1')
  assert.throws(() => box.open(sealed, 'authenticator 2'))
  assert.throws(() => openSecretBox(randomBytes(32)).open(sealed, 'authenticator 1'))
  const bytes = Buffer.from(sealed, 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    assert.throws(() => box.open(altered.toString('base64url'), 'authenticator 1'))
  }
  for (const text of ['', 'AAAA', sealed.slice(0, 30)]) assert.throws(() => box.open(text, 'authenticator 1'))
})

test('a MAC is the same for the same text, and another for another text, purpose or key', () => {
  const mac = box.mac('text', 'proof claim')
  assert.match(mac, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(box.mac('text', 'proof claim'), mac)
  for (const other of [
    box.mac('texT', 'proof claim'),
    box.mac('text', 'proof seal'),
    openSecretBox(randomBytes(32)).mac('text', 'proof claim'),
    // Where the purpose ends and the text begins is told from any other place.
    box.mac('claimtext', 'proof '),
    createHmac('sha256', KEY).update('proof claim\ntext').digest('base64url'),
  ])
    assert.notEqual(other, mac, 'also than one that the key of the secrets would give')
})

test('a MAC is the same however many others were asked for since', () => {
  const macs = Array.from({ length: 1200 }, (_, n) => box.mac(`${n}`, 'many'))
  assert.equal(new Set(macs).size, 1200)
  assert.deepEqual(
    macs,
    macs.map((_, n) => box.mac(`${n}`, 'many')),
  )
  assert.deepEqual(
    macs.slice(0, 3),
    ['0', '1', '2'].map((text) => openSecretBox(KEY).mac(text, 'many')),
  )
})
