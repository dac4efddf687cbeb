import { context, writeElement, writeInteger, writeOctets, writeOid, writeSequence, writeSet } from './der.ts'

/** RFC 5652 sections 5.1, 4, 11.1 and 11.2; RFC 5035 section 3; RFC 3161 appendix A. */
export const CMS_OID = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
} as const

/** What a detached signature of one signer is put together from, each as DER. */
export interface CmsParts {
  /** In the one order that DER allows (X.690 section 11.6), by their bytes: nothing signed fixes it. */
  certificates: readonly Uint8Array[]
  /** Of the signer's certificate. */
  issuer: Uint8Array
  serial: Uint8Array
  digestAlgorithm: Uint8Array
  /** What stands inside the set that was signed. */
  signedAttributes: readonly Uint8Array[]
  signatureAlgorithm: Uint8Array
  /** The bare value. */
  signature: Uint8Array
  /** `[1]`; nobody signs it. */
  unsignedAttributes?: Uint8Array
}

/**
 * The one form of a detached CMS signature: what signs writes it, and what verifies writes it again and compares.
 * @see RFC 5652 section 5
 */
export function writeCms(parts: CmsParts): Uint8Array<ArrayBuffer> {
  const signer = writeSequence(
    writeInteger(1),
    writeSequence(parts.issuer, parts.serial),
    parts.digestAlgorithm,
    writeElement(context(0), ...parts.signedAttributes),
    parts.signatureAlgorithm,
    writeOctets(parts.signature),
    parts.unsignedAttributes ?? new Uint8Array(),
  )
  const signedData = writeSequence(
    writeInteger(1),
    writeSet(parts.digestAlgorithm),
    writeSequence(writeOid(CMS_OID.data)),
    writeElement(context(0), ...parts.certificates),
    writeSet(signer),
  )
  return writeSequence(writeOid(CMS_OID.signedData), writeElement(context(0), signedData))
}
