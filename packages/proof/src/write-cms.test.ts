import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from './bytes.ts'
import { writeCms } from './write-cms.ts'

const PARTS = {
  certificates: ['3001a1', '3001a2'].map(fromHex),
  issuer: fromHex('3001b1'),
  serial: fromHex('020102'),
  digestAlgorithm: fromHex('3001d1'),
  signedAttributes: [fromHex('3001c1'), fromHex('3001c2')],
  signatureAlgorithm: fromHex('3001e1'),
  signature: fromHex('f1f2'),
}

test('a container is written as RFC 5652 has it, byte by byte', () => {
  const signer = ['020101', '30063001b1020102', '3001d1', 'a0063001c13001c2', '3001e1', '0402f1f2']
  const unsigned = 'a1033001c3'
  for (const [over, last] of [
    [{}, ''],
    [{ unsignedAttributes: fromHex(unsigned) }, unsigned],
  ] as const) {
    const wrap = (tag: string, hex: string) => `${tag}${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
    const signers = wrap('31', wrap('30', signer.join('') + last))
    const content = wrap('30', '06092a864886f70d010701')
    const data = wrap('30', `020101${wrap('31', '3001d1')}${content}${wrap('a0', '3001a13001a2')}${signers}`)
    assert.equal(toHex(writeCms({ ...PARTS, ...over })), wrap('30', `06092a864886f70d010702${wrap('a0', data)}`))
  }
})
