import { context, type DerElement, readContents, readElement, readOid, readWhole, TAG } from '@proofdesk/proof/der'
import { refuse } from '@proofdesk/proof/errors'
import { readFirst } from './bounded-der.ts'

/** What of a certificate is needed to find the signer's, to name it and to check with it. Each as DER. */
export interface CarriedCertificate {
  whole: Uint8Array<ArrayBuffer>
  serial: Uint8Array<ArrayBuffer>
  issuer: Uint8Array<ArrayBuffer>
  subject: Uint8Array<ArrayBuffer>
  publicKey: Uint8Array<ArrayBuffer>
  validity: DerElement | undefined
  /** `[3]`, where there are any. */
  extensions: DerElement | undefined
  /** The bare value of the extension, where there is one. */
  keyIdentifier: Uint8Array<ArrayBuffer> | undefined
}

const SUBJECT_KEY_IDENTIFIER = '2.5.29.14'
const MOST_EXTENSIONS = 100

/**
 * Reads more kinds of certificate than the proof package does for seals, whose algorithms are few; and proves nothing: nobody
 * is trusted here. RFC 5280 section 4.1.
 * @throws ProofError `der`.
 */
export function readCarriedCertificate(element: DerElement): CarriedCertificate {
  const [tbs] = readFirst(element, TAG.sequence, 3)
  const fields = readFirst(tbs, TAG.sequence, 10)
  if (fields[0]?.tag === context(0)) fields.shift()
  const [serial, , issuer, validity, subject, publicKey] = fields
  const extensions = fields.find(({ tag }) => tag === context(3))
  return {
    whole: element.whole,
    serial: readWhole(serial),
    issuer: readWhole(issuer),
    subject: readWhole(subject),
    publicKey: publicKey?.tag === TAG.sequence ? publicKey.whole : refuse('der', 'public key'),
    validity,
    extensions,
    keyIdentifier: readKeyIdentifier(extensions),
  }
}

function readKeyIdentifier(extensions: DerElement | undefined): Uint8Array<ArrayBuffer> | undefined {
  const value = findExtension(extensions, SUBJECT_KEY_IDENTIFIER)
  return value && readContents(value, TAG.octetString)
}

/** @returns the value of one. @throws ProofError `der`. */
export function findExtension(extensions: DerElement | undefined, wanted: string): DerElement | undefined {
  if (!extensions) return undefined
  for (const extension of readFirst(readFirst(extensions, context(3), 1)[0], TAG.sequence, MOST_EXTENSIONS)) {
    const parts = readFirst(extension, TAG.sequence, 3)
    if (readOid(parts[0]) === wanted) return readElement(readContents(parts.at(-1), TAG.octetString))
  }
  return undefined
}
