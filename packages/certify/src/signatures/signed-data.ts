import { areEqual } from '@proofdesk/proof/bytes'
import { context, type DerElement, readContents, readElement, readOid, TAG, writeElement } from '@proofdesk/proof/der'
import { refuse } from '@proofdesk/proof/errors'
import { CMS_OID } from '@proofdesk/proof/write-cms'
import { readFirst } from './bounded-der.ts'
import { type CarriedCertificate, readCarriedCertificate } from './carried-certificate.ts'

/** A CMS container as others write it: DER, but with more freedom than our own seals have. */
export interface SignedData {
  /** Type of what is signed, as object identifier. */
  contentType: string
  /** Bytes that the container itself holds; undefined for a detached signature. */
  content: Uint8Array<ArrayBuffer> | undefined
  certificates: CarriedCertificate[]
  signer: SignerInfo
  /** More than one signer: none of the kinds read here allows that. */
  hasOthers: boolean
}

export interface SignerInfo {
  /** Issuer and serial number in a sequence, or a key identifier. */
  id: DerElement
  digestAlgorithm: Algorithm
  /** The bytes that were signed (RFC 5652 section 5.4: as a SET), and the attributes; undefined when there are none. */
  signed: { bytes: Uint8Array<ArrayBuffer>; attributes: Map<string, DerElement> } | undefined
  signatureAlgorithm: Algorithm
  signature: Uint8Array<ArrayBuffer>
  unsigned: Map<string, DerElement>
}

export interface Algorithm {
  oid: string
  parameters: DerElement | undefined
}

const MOST_CERTIFICATES = 100
const MOST_ATTRIBUTES = 100

const SIGNED = context(0)

/**
 * Reads the SignedData at the start of `bytes`; what follows it is padding of /Contents. RFC 5652 section 5.1.
 * @throws ProofError `der`, `cms`.
 */
export function readSignedData(bytes: Uint8Array<ArrayBuffer>): SignedData {
  const [type, wrapped] = readFirst(readElement(bytes), TAG.sequence, 2)
  if (readOid(type) !== CMS_OID.signedData) refuse('cms', 'no signed data')
  const [, , inner, ...rest] = readFirst(readFirst(wrapped, context(0), 1)[0], TAG.sequence, 6)
  const [contentType, content] = readFirst(inner, TAG.sequence, 2)
  const signers = readFirst(rest.at(-1), TAG.set, 2)
  return {
    contentType: readOid(contentType),
    content: content && readContents(readFirst(content, context(0), 1)[0], TAG.octetString),
    certificates: readCertificates(rest.find(({ tag }) => tag === context(0))),
    signer: readSignerInfo(signers[0]),
    hasOthers: signers.length > 1,
  }
}

/** Only X.509 ones, of those only what can be read: the one of the signer may be among them. */
function readCertificates(set: DerElement | undefined): CarriedCertificate[] {
  if (!set) return []
  return readFirst(set, context(0), MOST_CERTIFICATES).flatMap((element) => {
    try {
      return [readCarriedCertificate(element)]
    } catch {
      return []
    }
  })
}

/** RFC 5652 section 5.3. */
function readSignerInfo(element: DerElement | undefined): SignerInfo {
  const [, id, digestAlgorithm, ...rest] = readFirst(element, TAG.sequence, 7)
  const signed = rest[0]?.tag === SIGNED ? rest.shift() : undefined
  const [signatureAlgorithm, value, unsigned] = rest
  return {
    id: id ?? refuse('cms', 'no signer'),
    digestAlgorithm: readAlgorithm(digestAlgorithm),
    signed: signed && {
      bytes: writeElement(TAG.set, signed.contents),
      attributes: readAttributes(signed, SIGNED),
    },
    signatureAlgorithm: readAlgorithm(signatureAlgorithm),
    signature: readContents(value, TAG.octetString),
    unsigned: unsigned ? readAttributes(unsigned, context(1)) : new Map(),
  }
}

/** An AlgorithmIdentifier with whatever parameters. RFC 5280 section 4.1.1.2. @throws ProofError `der`. */
export function readAlgorithm(element: DerElement | undefined): Algorithm {
  const [oid, parameters] = readFirst(element, TAG.sequence, 2)
  return { oid: readOid(oid), parameters }
}

/**
 * The first value of each. A signed one that stood twice could be read in two ways; of the others, which may, the first counts.
 * RFC 5652 section 5.3.
 */
function readAttributes(element: DerElement, tag: number): Map<string, DerElement> {
  const attributes = new Map<string, DerElement>()
  for (const attribute of readFirst(element, tag, MOST_ATTRIBUTES)) {
    const [type, values] = readFirst(attribute, TAG.sequence, 2)
    const oid = readOid(type)
    const [value] = readFirst(values, TAG.set, 1)
    if (attributes.has(oid) && tag === SIGNED) refuse('cms', `attribute ${oid}`)
    if (value && !attributes.has(oid)) attributes.set(oid, value)
  }
  return attributes
}

/** The certificate that the signer names. */
export function findSigner(
  { id }: SignerInfo,
  certificates: readonly CarriedCertificate[],
): CarriedCertificate | undefined {
  if (id.tag === KEY_IDENTIFIER)
    return certificates.find(({ keyIdentifier }) => keyIdentifier && areEqual(keyIdentifier, id.contents))
  const [issuer, serial] = readFirst(id, TAG.sequence, 2)
  if (!issuer || !serial) return undefined
  return certificates.find((one) => areEqual(one.issuer, issuer.whole) && areEqual(one.serial, serial.whole))
}

/** `[0]`, primitive. */
const KEY_IDENTIFIER = 0x80
