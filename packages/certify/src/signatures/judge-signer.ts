import { areEqual } from '@proofdesk/proof/bytes'
import { type DerElement, readContents, readOid, TAG } from '@proofdesk/proof/der'
import { CMS_OID } from '@proofdesk/proof/write-cms'
import { createHash } from 'node:crypto'
import { readFirst } from './bounded-der.ts'
import type { CarriedCertificate } from './carried-certificate.ts'
import { judgeValue, nameHash } from './signature-value.ts'
import { readAlgorithm, type SignedData } from './signed-data.ts'
import type { Judgement } from './types.ts'

/** What a signature is about. */
export interface SignedContent {
  /** The type that it has to be of, as object identifier. */
  type: string
  /** By Node's name of the hash function; undefined when too much was hashed for this file already. */
  digest(hash: string): Uint8Array | undefined
  /** The bytes themselves, in one piece. */
  join(): Uint8Array
}

/** The first form of the attribute, by SHA-1. RFC 2634 section 5.4. */
export const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12'

/**
 * Whether the signature is about this content and was made with the key of this certificate. Content that the container holds
 * besides is passed over: what counts is the digest of the bytes in the file.
 * @throws ProofError `der`, `cms`.
 * @see RFC 5652 sections 5.4 and 5.6
 */
export function judgeSigner(
  { contentType, signer, hasOthers }: SignedData,
  certificate: CarriedCertificate | undefined,
  content: SignedContent,
): Judgement {
  const hash = nameHash(signer.digestAlgorithm)
  if (hash === undefined || hasOthers) return 'unknown'
  const { signed, signatureAlgorithm: algorithm, signature } = signer
  if (contentType !== content.type) return 'broken'
  if (signed) {
    const claimed = signed.attributes.get(CMS_OID.messageDigest)
    const type = signed.attributes.get(CMS_OID.contentType)
    if (!claimed || !type || readOid(type) !== contentType) return 'broken'
    const digest = content.digest(hash)
    if (!digest) return 'unknown'
    if (!areEqual(readContents(claimed, TAG.octetString), digest)) return 'broken'
  } else if (!content.digest(hash)) return 'unknown'
  if (!certificate) return 'unknown'
  if (signed && !namesCertificate(signed.attributes, certificate)) return 'broken'
  return judgeValue({
    algorithm,
    hash,
    publicKey: certificate.publicKey,
    signature,
    signed: signed?.bytes ?? content.join(),
  })
}

/**
 * Where the signature names its certificate by hash, it must be this one: otherwise the certificate, and with it the name of
 * the signer, could be exchanged. RFC 5035 section 3.
 */
function namesCertificate(attributes: ReadonlyMap<string, DerElement>, { whole }: CarriedCertificate): boolean {
  const newer = attributes.get(CMS_OID.signingCertificateV2)
  const older = attributes.get(SIGNING_CERTIFICATE)
  return (!newer || namesByHash(newer, 'SHA256', whole)) && (!older || namesByHash(older, 'SHA1', whole))
}

function namesByHash(attribute: DerElement, usual: string, certificate: Uint8Array): boolean {
  const [list] = readFirst(attribute, TAG.sequence, 1)
  const [id] = readFirst(list, TAG.sequence, 1)
  const parts = readFirst(id, TAG.sequence, 3)
  const hash = parts[0]?.tag === TAG.sequence ? nameHash(readAlgorithm(parts[0])) : usual
  const claimed = parts.find(({ tag }) => tag === TAG.octetString)
  if (hash === undefined || !claimed) return false
  return areEqual(claimed.contents, createHash(hash).update(certificate).digest())
}
