import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readLatin1, writeLatin1 } from './bytes.ts'
import { appendUpdate, findLastXref } from './testing/append-update.ts'
import { issueCertificate } from './testing/certificates.ts'
import {
  authority,
  facts,
  FORGED,
  request,
  revision0,
  sealed,
  sealedText,
  signer,
  testAttacks,
} from './testing/sealed-example.ts'
import type { Attack } from './testing/sealed-example.ts'
import { sealRevision0, type SealRequest } from './testing/sign-seal.ts'
import { draftDocument, editBody, makeRevision0, OBJECTS, writeStream } from './testing/write-revision0.ts'

const bare = sealRevision0(revision0, request)
const update = sealedText.slice(facts.sizeBytes)
const hexStart = sealedText.lastIndexOf('/Contents<') + '/Contents<'.length
const hexEnd = sealedText.indexOf('>', hexStart)

const o = OBJECTS
const { bodies } = draftDocument()
const N = facts.size
const forgedPage = `<</Type /Page /Parent ${o.pages} 0 R /MediaBox [0 0 300 300] /Contents ${N + 1} 0 R>>`

/** The sealed file with one replacement, which must change it. */
function replace(from: string | RegExp, to: string, file = sealedText): Uint8Array<ArrayBuffer> {
  const changed = file.replace(from, () => to)
  assert.notEqual(changed, file)
  return writeLatin1(changed)
}

const append = (...objects: [object: number, body: string][]) => writeLatin1(appendUpdate(sealedText, objects))
const seal = (changes: Partial<SealRequest>) => sealRevision0(revision0, { ...request, ...changes })

function loopOverTwoUpdates(): Uint8Array<ArrayBuffer> {
  const first = appendUpdate(sealedText, [], { prev: 11_111 })
  const second = appendUpdate(first, [])
  return replace('/Prev 11111', `/Prev ${String(findLastXref(second)).padStart(5, '0')}`, second)
}

/** Somebody who has only the finished file. */
const outsider: Attack[] = [
  ['a page stream is changed', 'seal', () => replace('(Certified)', '(certified)')],
  ['the header is changed', 'seal', () => replace('%PDF-1.7', '%PDF-1.6')],
  ['the proof is replaced in place', 'digest', () => replace('example', 'exampel')],
  ['padding of /Contents is not zero', 'seal', () => replace(/0>>>/, '1>>>')],
  [
    '/Contents in capitals',
    'seal',
    () =>
      writeLatin1(
        sealedText.slice(0, hexStart) + sealedText.slice(hexStart, hexEnd).toUpperCase() + sealedText.slice(hexEnd),
      ),
  ],
  ['/Contents holds white space', 'seal', () => replace(/00>>>/, ' 0>>>')],
  ['/Contents is emptied', 'seal', () => writeLatin1(sealedText.slice(0, hexStart) + sealedText.slice(hexEnd))],
  [
    '/Contents is all zero',
    'der',
    () => writeLatin1(sealedText.slice(0, hexStart) + '0'.repeat(hexEnd - hexStart) + sealedText.slice(hexEnd)),
  ],
  [
    'a page is appended',
    'after_seal',
    () =>
      append(
        [o.pages, `<</Type /Pages /Count 2 /Kids [${o.page} 0 R ${N} 0 R]>>`],
        [N, forgedPage],
        [N + 1, writeStream(FORGED)],
      ),
  ],
  [
    'an annotation is added',
    'after_seal',
    () =>
      append([
        o.page,
        bodies[o.page]!.replace('/Annots [', '/Annots [<</Type /Annot /Subtype /FreeText /Contents (Forged)>> '),
      ]),
  ],
  [
    'the signature field is made visible',
    'after_seal',
    () => append([o.field, bodies[o.field]!.replace('[0 0 0 0]', '[9 9 99 99]')]),
  ],
  [
    'the proof is replaced by an update',
    'after_seal',
    () => append([o.proofSlot, writeStream('c2sp.org/tlog-proof@v1\nother\n', '/Type /EmbeddedFile')]),
  ],
  [
    'a proof is added to a seal without one',
    'after_seal',
    () =>
      writeLatin1(
        appendUpdate(readLatin1(bare), [
          [o.proofSlot, writeStream('c2sp.org/tlog-proof@v1\nother\n', '/Type /EmbeddedFile')],
        ]),
      ),
  ],
  [
    'the proof object is cut out',
    'seal',
    () => writeLatin1(sealedText.slice(0, facts.sizeBytes) + update.slice(update.indexOf('endobj\n') + 7)),
  ],
  [
    'another catalog with other pages',
    'after_seal',
    () =>
      writeLatin1(
        appendUpdate(
          sealedText,
          [
            [N, bodies[o.catalog]!.replace(`/Pages ${o.pages}`, `/Pages ${N + 1}`)],
            [N + 1, '<</Type /Pages /Count 0 /Kids []>>'],
          ],
          { root: N },
        ),
      ),
  ],
  ['a content stream is overwritten', 'after_seal', () => append([o.content, writeStream(FORGED)])],
  ['XFA is added', 'after_seal', () => append([o.acroForm, `<</Fields [${o.field} 0 R] /SigFlags 3 /XFA (x)>>`])],
  ['the signature field is removed', 'after_seal', () => append([o.acroForm, '<</Fields []>>'])],
  ['a security store is added', 'after_seal', () => append([o.dssSlot, '<</Type /DSS /VRI <<>>>>'])],
  ['an empty update', 'after_seal', () => append()],
  [
    'an update whose /Prev points at itself',
    'after_seal',
    () => writeLatin1(appendUpdate(sealedText, [], { prev: findLastXref(appendUpdate(sealedText, [], { prev: 0 })) })),
  ],
  ['/Prev in a loop over two updates', 'after_seal', loopOverTwoUpdates],
  [
    'startxref leads back to revision 0',
    'seal',
    () => replace(/startxref\n\d+\n%%EOF\n$/, `startxref\n${facts.xrefOffset}\n%%EOF\n`),
  ],
  ['digits of /ByteRange are changed', 'seal', () => replace('/ByteRange[0 ', '/ByteRange[1 ')],
  ['the stated date is changed', 'digest', () => replace(/20260102030405/g, '20260102030406')],
  ['one of the two dates is changed', 'seal', () => replace('/ModDate(D:20260102030405', '/ModDate(D:20260102030406')],
  ...['\n', ' ', '\0', '%x\n', '%%EOF\n', 'x'.repeat(2000)].map((junk): Attack => [
    `${JSON.stringify(junk.slice(0, 6))} x ${junk.length} after the end`,
    'after_seal',
    () => writeLatin1(sealedText + junk),
  ]),
  ['a whole other PDF after the end', 'after_seal', () => new Uint8Array([...sealed, ...revision0])],
  ['the update twice', 'after_seal', () => writeLatin1(sealedText + update)],
  ['bytes before the header', 'rev0_layout', () => writeLatin1(`\n${sealedText}`)],
  [
    'bytes between revision 0 and the update',
    'seal',
    () => writeLatin1(`${sealedText.slice(0, facts.sizeBytes)}\n${update}`),
  ],
  [
    'the seal of another revision 0',
    'seal',
    () => {
      const other = sealRevision0(makeRevision0(editBody(o.content, 'Certified', 'Forged!!!')), request)
      return writeLatin1(readLatin1(revision0) + readLatin1(other).slice(facts.sizeBytes))
    },
  ],
  [
    'signed under an unknown authority',
    'x509_trust',
    () => {
      const unknown = issueCertificate({ name: 'Authority', isAuthority: true })
      return seal({ signer: issueCertificate({ name: 'Signer', issuer: unknown }), chain: [unknown] })
    },
  ],
  [
    'signed under an unknown authority, with the known one beside it',
    'x509_trust',
    () => {
      const unknown = issueCertificate({ name: 'Unknown', isAuthority: true })
      return seal({
        signer: issueCertificate({ name: 'Signer', issuer: unknown }),
        chain: [unknown, authority],
        holeBytes: 3000,
      })
    },
  ],
  [
    'the certificate claims the known authority, another key issued it',
    'x509',
    () => {
      const other = { ...issueCertificate({ name: 'Other', isAuthority: true }), name: 'Authority' }
      return seal({ signer: issueCertificate({ name: 'Signer', issuer: other }), chain: [authority] })
    },
  ],
  [
    'the right certificate, the key of somebody else',
    'signature',
    () => seal({ signer: { ...signer, key: authority.key } }),
  ],
  [
    'an own key in a copy of the right certificate',
    'x509',
    () => {
      const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      const exportPoint = (from: typeof key) =>
        createPublicKey(from).export({ type: 'spki', format: 'der' }).subarray(-65)
      const copy = Buffer.from(signer.certificate)
      exportPoint(key).copy(copy, copy.indexOf(exportPoint(signer.key)))
      return seal({ signer: { ...signer, key, certificate: new Uint8Array(copy) } })
    },
  ],
  [
    'a foreign certificate carried along',
    'x509',
    () => seal({ chain: [authority, issueCertificate({ name: 'Stray', isAuthority: true })] }),
  ],
  ['a certificate carried twice', 'x509', () => seal({ chain: [authority, authority] })],
  [
    'certificates in another order',
    'cms',
    () => {
      const parts = [authority.certificate, signer.certificate].toSorted((a, b) => Buffer.compare(b, a))
      return seal({ cms: { certificates: parts } })
    },
  ],
  ['no certificate of the signer', 'cms', () => seal({ cms: { certificates: [authority.certificate] } })],
  [
    'a certificate issued by the signer, who is no authority',
    'x509_trust',
    () => {
      const below = issueCertificate({ name: 'Below', issuer: signer })
      return seal({ signer: below, chain: [signer, authority], holeBytes: 3000 })
    },
  ],
  ['a date before the certificates', 'x509_time', () => seal({ signedAt: 'D:20191231235959Z' })],
  ['a date after the certificates', 'x509_time', () => seal({ signedAt: 'D:20400101000001Z' })],
  [
    'an authority that has run out',
    'x509_time',
    () => {
      const old = issueCertificate({ name: 'Authority', isAuthority: true, key: authority.key, years: [2020, 2025] })
      return seal({ chain: [old] })
    },
  ],
  ['a day that does not exist', 'seal', () => seal({ signedAt: 'D:20260230030405Z' })],
]

testAttacks('somebody who has only the finished file gets no change past the verifier', outsider)
