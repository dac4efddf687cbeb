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
  const [serial, , issuer, , subject, publicKey] = fields
  return {
    whole: element.whole,
    serial: readWhole(serial),
    issuer: readWhole(issuer),
    subject: readWhole(subject),
    publicKey: publicKey?.tag === TAG.sequence ? publicKey.whole : refuse('der', 'public key'),
    keyIdentifier: readKeyIdentifier(fields.find(({ tag }) => tag === context(3))),
  }
}

function readKeyIdentifier(extensions: DerElement | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (!extensions) return undefined
  for (const extension of readFirst(readFirst(extensions, context(3), 1)[0], TAG.sequence, MOST_EXTENSIONS)) {
    const parts = readFirst(extension, TAG.sequence, 3)
    if (readOid(parts[0]) !== SUBJECT_KEY_IDENTIFIER) continue
    return readContents(readElement(readContents(parts.at(-1), TAG.octetString)), TAG.octetString)
  }
  return undefined
}
