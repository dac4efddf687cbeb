import { areEqual, compareBytes } from './bytes.ts'
import {
  context,
  readChildren,
  readContents,
  readOid,
  readOnlyChild,
  readOnlyElement,
  readWhole,
  TAG,
  writeElement,
} from './der.ts'
import type { DerElement } from './der.ts'
import { refuse } from './errors.ts'
import { checkSignature, digest, nameHash, readAlgorithm } from './signature-algorithms.ts'
import { CMS_OID, writeCms } from './write-cms.ts'
import { readCertificate, type Certificate } from './x509.ts'

/** Who signed, and every certificate that came along; whether to trust them is for `verifyPath` to say. */
export interface CmsSigner {
  signer: Certificate
  certificates: Certificate[]
}

/** Each name of one is compared with each of them, before the signature is looked at; a path has six at most. */
const MAX_CERTIFICATES = 16

/**
 * Verifies a detached CMS signature of exactly one signer in the form of PAdES baseline B-B: signed attributes content type,
 * message digest and signing-certificate-v2, no unsigned ones. Afterwards it puts the container together again from its
 * parts and compares, so nothing outside the signature can vary.
 * @param bytes DER of the ContentInfo, no byte more.
 * @param digestContent Hashes the signed content with the hash function asked for.
 * @throws ProofError `der`, `cms`, `cms_alg`, `digest`, `signature`, `timestamp`, `x509`.
 * @see RFC 5652 sections 5.1 to 5.6, ETSI EN 319 122-1
 */
export async function verifyDetachedCms(
  bytes: Uint8Array<ArrayBuffer>,
  digestContent: (hash: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<CmsSigner> {
  const { signerInfo, certificates } = readSignedData(bytes)
  const signer =
    certificates.find(
      ({ issuer, serial }) => areEqual(issuer, signerInfo.issuer) && areEqual(serial, signerInfo.serial),
    ) ?? refuse('cms', 'the certificate of the signer is missing')
  const hash = nameHash(signerInfo.digestAlgorithm.oid)
  // RFC 5652 section 5.4: the attributes are signed as a SET, whatever tag they carry here
  const signed = writeElement(TAG.set, signerInfo.signedAttributes)
  const attributes = readAttributes(readOnlyElement(signed))
  if (readOid(attributes.get(CMS_OID.contentType)) !== CMS_OID.data) refuse('cms', 'content type')
  const claimed = readContents(
    attributes.get(CMS_OID.messageDigest) ?? refuse('cms', 'no message digest'),
    TAG.octetString,
  )
  if (!areEqual(claimed, await digestContent(hash))) refuse('digest', 'the signed bytes were changed')
  await verifyNamedCertificates(attributes.get(CMS_OID.signingCertificateV2), signer, certificates)
  const { signature, signatureAlgorithm } = signerInfo
  const check = { algorithm: signatureAlgorithm.oid, hash, publicKey: signer.publicKey, signature, signed }
  if (!(await checkSignature(check))) refuse('signature', 'the signature is wrong')
  const rewritten = writeCms({
    ...signerInfo,
    certificates: certificates.map(({ whole }) => whole).toSorted(compareBytes),
    digestAlgorithm: signerInfo.digestAlgorithm.whole,
    signedAttributes: [signerInfo.signedAttributes],
    signatureAlgorithm: signatureAlgorithm.whole,
  })
  if (!areEqual(rewritten, bytes)) refuse('cms', 'not in its one allowed form')
  return { signer, certificates }
}

interface Algorithm {
  oid: string
  whole: Uint8Array<ArrayBuffer>
}

interface SignerInfo {
  issuer: Uint8Array<ArrayBuffer>
  serial: Uint8Array<ArrayBuffer>
  digestAlgorithm: Algorithm
  /** One after the other. */
  signedAttributes: Uint8Array<ArrayBuffer>
  signatureAlgorithm: Algorithm
  signature: Uint8Array<ArrayBuffer>
}

interface SignedData {
  certificates: Certificate[]
  signerInfo: SignerInfo
}

/** Reads what is needed and no more: the rest is told by the comparison with the one form. RFC 5652 section 5.1. */
function readSignedData(bytes: Uint8Array<ArrayBuffer>): SignedData {
  const [, content] = readChildren(readOnlyElement(bytes), TAG.sequence)
  const [, , , certificates, signers] = readChildren(readOnlyChild(content), TAG.sequence)
  const carried = readChildren(certificates, context(0))
  if (carried.length > MAX_CERTIFICATES) refuse('cms', 'too many certificates')
  return {
    certificates: carried.map((one) => readCertificate(one.whole)),
    signerInfo: readSignerInfo(readChildren(signers, TAG.set)[0]),
  }
}

/** RFC 5652 section 5.3. */
function readSignerInfo(element: DerElement | undefined): SignerInfo {
  const [, id, digestAlgorithm, signedAttributes, signatureAlgorithm, value, unsigned] = readChildren(
    element,
    TAG.sequence,
  )
  if (unsigned) refuseUnsigned(unsigned)
  const [issuer, serial] = readChildren(id, TAG.sequence)
  return {
    issuer: readWhole(issuer),
    serial: readWhole(serial),
    digestAlgorithm: readAlgorithm(digestAlgorithm),
    signedAttributes: readContents(signedAttributes, context(0)),
    signatureAlgorithm: readAlgorithm(signatureAlgorithm),
    signature: readContents(value, TAG.octetString),
  }
}

/** Nothing protects an unsigned attribute; a time stamp is told apart, for it may be honest and newer than this program. */
function refuseUnsigned(unsigned: DerElement): never {
  for (const attribute of readChildren(unsigned, context(1))) {
    if (readOid(readChildren(attribute)[0]) === CMS_OID.timeStampToken)
      refuse('timestamp', 'time stamps are not known here')
  }
  return refuse('cms', 'unsigned attributes')
}

/** Each attribute once and with one value. RFC 5652 section 11. */
function readAttributes(element: DerElement): Map<string, DerElement> {
  const attributes = new Map<string, DerElement>()
  for (const attribute of readChildren(element)) {
    const [type, values, ...others] = readChildren(attribute, TAG.sequence)
    const oid = readOid(type)
    if (attributes.has(oid) || others.length > 0) refuse('cms', `attribute ${oid}`)
    attributes.set(oid, readOnlyChild(values, TAG.set))
  }
  return attributes
}

/**
 * ESSCertIDv2: the signature names its own certificate by hash, first, and as far as it was written so those above, which could
 * else be exchanged. RFC 5035 section 3.
 */
async function verifyNamedCertificates(
  attribute: DerElement | undefined,
  signer: Certificate,
  carried: readonly Certificate[],
): Promise<void> {
  if (!attribute) return refuse('cms', 'no signing certificate attribute')
  const [first, ...above] = readChildren(readChildren(attribute, TAG.sequence)[0], TAG.sequence)
  // Each names one that is carried: with more names than certificates one of them is missing, whatever it hashes to.
  if (above.length >= carried.length) refuse('cms', 'a certificate that is named is missing')
  if (!(await isNamed(first, signer))) refuse('cms', 'hash of the signing certificate')
  for (const id of above) {
    const named = await Promise.all(carried.map((one) => isNamed(id, one)))
    if (!named.includes(true)) refuse('cms', 'a certificate that is named is missing')
  }
}

async function isNamed(id: DerElement | undefined, certificate: Certificate): Promise<boolean> {
  const parts = readChildren(id, TAG.sequence)
  const [first] = parts
  const hash = first?.tag === TAG.sequence ? nameHash(readAlgorithm(first).oid) : 'SHA-256'
  const claimed = parts.find(({ tag }) => tag === TAG.octetString)
  return claimed !== undefined && areEqual(claimed.contents, await digest(hash, certificate.whole))
}
