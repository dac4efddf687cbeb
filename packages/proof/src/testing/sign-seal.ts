import { createHash, sign } from 'node:crypto'
import { compareBytes, readLatin1, toHex, writeLatin1 } from '../bytes.ts'
import { writeOctets, writeOid, writeSequence, writeSet } from '../der.ts'
import { renderSeal, type RenderedSeal } from '../pdf-layout/render.ts'
import { scanRevision0, type Revision0Facts } from '../pdf-layout/scan.ts'
import { CMS_OID, writeCms } from '../write-cms.ts'
import { readCertificate } from '../x509.ts'
import { writeSignatureAlgorithm, type TestCertificate } from './certificates.ts'
import { sha256Hex } from './write-revision0.ts'

/** Bytes reserved for the signature in the tests: small, so that flipping every byte stays quick. */
const HOLE_BYTES = 1600

export interface CmsRequest {
  signer: TestCertificate
  chain: TestCertificate[]
  /** SHA-256 of the signed content. */
  hash: Uint8Array
  /** Replaces parts with wrong ones. */
  over?: Partial<CmsChanges>
}

interface CmsChanges {
  attributes: Uint8Array[]
  certificates: Uint8Array[]
  unsigned: Uint8Array
  signature: Uint8Array
  /** What the signature is made over. */
  toSign: Uint8Array
}

export function writeAttribute(type: string, value: Uint8Array): Uint8Array<ArrayBuffer> {
  return writeSequence(writeOid(type), writeSet(value))
}

export function writeAttributes(hash: Uint8Array, certificate: Uint8Array) {
  return {
    contentType: writeAttribute(CMS_OID.contentType, writeOid(CMS_OID.data)),
    messageDigest: writeAttribute(CMS_OID.messageDigest, writeOctets(hash)),
    signingCertificate: writeAttribute(
      CMS_OID.signingCertificateV2,
      writeSequence(writeSequence(writeSequence(writeOctets(createHash('sha256').update(certificate).digest())))),
    ),
  }
}

/** A CMS signature as the product writes it (PAdES B-B). RFC 5652. */
export function makeCms({ signer, chain, hash, over = {} }: CmsRequest): Uint8Array<ArrayBuffer> {
  const { issuer, serial } = readCertificate(signer.certificate)
  const attributes = over.attributes ?? Object.values(writeAttributes(hash, signer.certificate))
  const signedAttributes = attributes.toSorted(compareBytes)
  const toSign = over.toSign ?? writeSet(...signedAttributes)
  return writeCms({
    certificates: over.certificates ?? [signer, ...chain].map(({ certificate }) => certificate).toSorted(compareBytes),
    issuer,
    serial,
    digestAlgorithm: writeSequence(writeOid('2.16.840.1.101.3.4.2.1')),
    signedAttributes,
    signatureAlgorithm: writeSignatureAlgorithm(signer.key),
    signature: over.signature ?? sign('sha256', toSign, signer.key),
    ...(over.unsigned && { unsignedAttributes: over.unsigned }),
  })
}

export interface SealRequest {
  signer: TestCertificate
  chain: TestCertificate[]
  proof?: Uint8Array | null
  signedAt?: string
  /** Facts to render with, where the writer's own scan would refuse the file. */
  facts?: Revision0Facts
  /** A change of the update before it is signed, of the same length. */
  edit?: (update: string) => string
  cms?: CmsRequest['over']
  /** A change of the finished signature container. */
  editContainer?: (cms: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** Other signed attributes than all of them. */
  chooseAttributes?: (parts: ReturnType<typeof writeAttributes>) => Uint8Array[]
  holeBytes?: number
}

/** Seals revision 0: with `facts` and `edit`, also as somebody would who holds the key and means harm. */
export function sealRevision0(revision0: Uint8Array, request: SealRequest): Uint8Array<ArrayBuffer> {
  const facts = request.facts ?? scanRevision0(revision0)
  const rendered = renderSeal(facts, {
    proof: request.proof ?? null,
    signedAt: request.signedAt ?? 'D:20260102030405Z',
    contentsHex: '00'.repeat(request.holeBytes ?? HOLE_BYTES),
    revision0Sha256: sha256Hex(revision0),
  })
  return signUpdate(revision0, rendered, request)
}

function signUpdate(revision0: Uint8Array, rendered: RenderedSeal, request: SealRequest): Uint8Array<ArrayBuffer> {
  const plain = readLatin1(rendered.bytes)
  const update = request.edit ? request.edit(plain) : plain
  if (update.length !== plain.length || (request.edit && update === plain)) throw new Error('the edit keeps the length')
  const text = readLatin1(revision0) + update
  const [start, end] = rendered.gap
  const hash = createHash('sha256')
    .update(writeLatin1(text.slice(0, start) + text.slice(end)))
    .digest()
  const { signer, chain, chooseAttributes, editContainer = (cms) => cms } = request
  const attributes = chooseAttributes && { attributes: chooseAttributes(writeAttributes(hash, signer.certificate)) }
  const cms = editContainer(makeCms({ signer, chain, hash, over: { ...request.cms, ...attributes } }))
  const hex = toHex(cms)
  if (hex.length > end - start - 2) throw new Error(`the signature needs ${cms.length} bytes`)
  return writeLatin1(`${text.slice(0, start + 1)}${hex.padEnd(end - start - 2, '0')}${text.slice(end - 1)}`)
}

/** Signs a file of any layout again: whole ByteRange, last /Contents. `moreGap` widens what the signature leaves out. */
export function signAgain(text: string, request: SealRequest, moreGap = 0): Uint8Array<ArrayBuffer> {
  const range = text.lastIndexOf('/ByteRange')
  const start = text.indexOf('/Contents<', range) + '/Contents'.length
  const end = text.indexOf('>', start) + 1
  const width = start - '/Contents'.length - range - '/ByteRange'.length
  const written = `[0 ${start} ${end + moreGap} ${text.length - end - moreGap}]`.padEnd(width)
  const whole = `${text.slice(0, range)}/ByteRange${written}${text.slice(start - '/Contents'.length)}`
  const hash = createHash('sha256')
    .update(writeLatin1(whole.slice(0, start) + whole.slice(end + moreGap)))
    .digest()
  const hex = toHex(makeCms({ signer: request.signer, chain: request.chain, hash }))
  return writeLatin1(`${whole.slice(0, start + 1)}${hex.padEnd(end - start - 2, '0')}${whole.slice(end - 1)}`)
}
