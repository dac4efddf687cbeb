import { areEqual } from '@proofdesk/proof/bytes'
import { readOid, readTime, TAG } from '@proofdesk/proof/der'
import { CMS_OID } from '@proofdesk/proof/write-cms'
import { readFirst } from './bounded-der.ts'
import { type CarriedCertificate, findExtension } from './carried-certificate.ts'
import { SIGNING_CERTIFICATE } from './judge-signer.ts'
import type { SignedData } from './signed-data.ts'

const EXTENDED_KEY_USAGE = '2.5.29.37'
/** id-kp-timeStamping. RFC 5280 section 4.2.1.12. */
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const MOST_PURPOSES = 20

/**
 * Whether a token is what an authority for time stamps makes, by its form: by a certificate for that purpose, named in the token
 * and valid at that time, and not by whoever signed the document. Nobody is trusted here, but a signer's own clock is none.
 * @param time Milliseconds since 1970 UTC. @param stamped The certificate of whoever signed what it is about.
 * @throws ProofError `der`.
 * @see RFC 3161 sections 2.3 and 2.4.2
 */
export function mayStampTime(
  { signer }: SignedData,
  certificate: CarriedCertificate,
  time: number,
  stamped: CarriedCertificate | undefined,
): boolean {
  const attributes = signer.signed?.attributes
  if (!attributes?.has(CMS_OID.signingCertificateV2) && !attributes?.has(SIGNING_CERTIFICATE)) return false
  if (stamped && areEqual(stamped.publicKey, certificate.publicKey)) return false
  const purposes = findExtension(certificate.extensions, EXTENDED_KEY_USAGE)
  if (!purposes || !readFirst(purposes, TAG.sequence, MOST_PURPOSES).some((one) => readOid(one) === TIME_STAMPING))
    return false
  const [from, to] = readFirst(certificate.validity, TAG.sequence, 2)
  return readTime(from) <= time && time <= readTime(to)
}
