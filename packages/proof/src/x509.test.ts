import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex } from './bytes.ts'
import { writeElement, writeInteger, writeOctets, writeOid, writeSequence } from './der.ts'
import { issueCertificate, pin, type CertificateRequest, type TestCertificate } from './testing/certificates.ts'
import { editElement } from './testing/edit-element.ts'
import { readCertificate, verifyPath } from './x509.ts'

const { certificate } = issueCertificate({ name: 'Any', isAuthority: true })
type Edit = Parameters<typeof editElement>[2]
const read = (path: number[], edit: Edit) => readCertificate(editElement(certificate, path, edit))

/** Child number of the signed part, and of the public key and the list of extensions in it. */
const SIGNED = 0
const [PUBLIC_KEY, EXTENSIONS] = [6, 7]
const EC_SHA384 = writeSequence(writeOid('1.2.840.10045.4.3.3'))

test('a certificate of version 1 is read, and is no authority', () => {
  const first = read([SIGNED], (fields) => fields.slice(1, EXTENSIONS))
  const { validFrom, validTo, isAuthority } = readCertificate(certificate)
  assert.deepEqual([validFrom, validTo, isAuthority], [Date.UTC(2020, 0, 1), Date.UTC(2040, 0, 1), true])
  assert.deepEqual([first.validFrom, first.validTo, first.isAuthority], [validFrom, validTo, false])
  assert.deepEqual(first.serial, writeInteger(1))
})

test('a certificate of any other shape is refused', () => {
  const any = writeInteger(1)
  for (let count = 0; count <= PUBLIC_KEY; count++)
    assert.throws(
      () => read([SIGNED], (fields) => fields.slice(0, count)),
      { name: 'ProofError', code: count === PUBLIC_KEY ? 'x509' : 'der' },
      `${count} fields`,
    )
  const faults: [what: string, code: string, path: number[], edit: Edit][] = [
    ['nothing', 'der', [], () => []],
    ['no signature', 'der', [], (parts) => parts.slice(0, 2)],
    ['no algorithm', 'der', [], (parts) => parts.slice(0, 1)],
    ['something after the signature', 'x509', [], (parts) => [...parts, any]],
    ['another algorithm outside', 'x509', [], (parts) => parts.with(1, EC_SHA384)],
    ['another algorithm inside', 'x509', [SIGNED], (fields) => fields.with(2, EC_SHA384)],
    ['unused bits', 'x509', [], (parts) => parts.with(2, writeElement(3, Uint8Array.of(1, 0)))],
    ['a signature of another kind', 'der', [], (parts) => parts.with(2, writeOctets(Uint8Array.of(0, 1)))],
    ['one time', 'der', [SIGNED, 4], ([from]) => [from!]],
    ['no times', 'der', [SIGNED, 4], () => []],
  ]
  for (const [what, code, path, edit] of faults)
    assert.throws(() => read(path, edit), { name: 'ProofError', code }, what)
  assert.throws(() => readCertificate(new Uint8Array([...certificate, 0])), { code: 'der' })
})

test('an authority is whom the basic constraints call so, and nobody else', () => {
  const constraints = writeOid('2.5.29.19')
  const usage = writeSequence(writeOid('2.5.29.15'), writeOctets(writeElement(3, Uint8Array.of(1, 6))))
  const holds = (...parts: Uint8Array[]) => writeOctets(writeSequence(...parts))
  const [yes, no, odd] = ['0101ff', '010100', '010101'].map(fromHex)
  const cases: [extensions: Uint8Array[], isAuthority: boolean][] = [
    [[], false],
    [[usage], false],
    [[writeSequence(constraints, holds(yes!))], true],
    [[writeSequence(constraints, yes!, holds(yes!))], true],
    [[usage, writeSequence(constraints, holds(yes!, writeInteger(0)))], true],
    [[writeSequence(constraints, yes!, holds())], false],
    [[writeSequence(constraints, holds(no!))], false],
    [[writeSequence(constraints, holds(odd!))], false],
    [[writeSequence(constraints, holds(writeElement(2, Uint8Array.of(0xff))))], false],
    [[writeSequence(writeOid('2.5.29.20'), holds(yes!))], false],
  ]
  for (const [i, [extensions, isAuthority]] of cases.entries())
    assert.equal(read([SIGNED, EXTENSIONS, 0], () => extensions).isAuthority, isAuthority, `case ${i}`)
})

const NOW = Date.UTC(2026, 0, 1)
const verify = (chain: TestCertificate[], pinned: TestCertificate, at = NOW) => {
  const [leaf, ...others] = chain.map((one) => readCertificate(one.certificate))
  return verifyPath(leaf!, [leaf!, ...others], [pin(pinned)], at)
}

/** Leaf first. */
function issueChain(length: number, over: Partial<CertificateRequest> = {}): TestCertificate[] {
  const chain: TestCertificate[] = []
  for (let i = 0; i < length; i++)
    chain.unshift(
      issueCertificate({ name: `Level ${i}`, isAuthority: true, ...(chain[0] && { issuer: chain[0] }), ...over }),
    )
  return chain
}

test('a path is six certificates long at most', async () => {
  for (const length of [1, 2, 6]) {
    const chain = issueChain(length)
    await verify(chain, chain.at(-1)!)
  }
  const long = issueChain(7)
  await assert.rejects(verify(long, long.at(-1)!), { name: 'ProofError', code: 'x509_trust' })
})

test('a certificate is valid from its first second to its last', async () => {
  const chain = issueChain(2, { years: [2025, 2027] })
  const [from, to] = [Date.UTC(2025, 0, 1), Date.UTC(2027, 0, 1)]
  for (const at of [from, to]) await verify(chain, chain[1]!, at)
  for (const at of [from - 1, to + 1])
    await assert.rejects(verify(chain, chain[1]!, at), { name: 'ProofError', code: 'x509_time' })
})

test('authorities that issue each other lead nowhere', async () => {
  const [one, other] = [issueCertificate({ name: 'One' }), issueCertificate({ name: 'Other' })]
  const ring = [
    issueCertificate({ name: 'One', isAuthority: true, key: one.key, issuer: other }),
    issueCertificate({ name: 'Other', isAuthority: true, key: other.key, issuer: one }),
  ]
  await assert.rejects(verify(ring, one), { code: 'x509_trust' })
  await assert.rejects(verify(issueChain(1), one), { code: 'x509_trust' })
  await verify(ring, ring[1]!)
})

test('every certificate on the path is signed by the next one, the pinned one too', async () => {
  const [leaf, middle, root] = issueChain(3) as [TestCertificate, TestCertificate, TestCertificate]
  const impostor = issueCertificate({ name: middle.name, isAuthority: true, issuer: root })
  await assert.rejects(verify([leaf, impostor, root], root), { code: 'x509' })
  const otherRoot = issueCertificate({ name: root.name, isAuthority: true })
  await assert.rejects(verify([leaf, middle, otherRoot], middle), { code: 'x509' })
  await verify([leaf, middle, root], middle)
  await assert.rejects(verify([leaf, middle, root], leaf), { code: 'x509' })
})
