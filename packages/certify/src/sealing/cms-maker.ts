import { createHash, type KeyObject, sign } from 'node:crypto'
import { compareBytes } from '@proofdesk/proof/bytes'
import { context, writeElement, writeOctets, writeOid, writeSequence, writeSet } from '@proofdesk/proof/der'
import { CMS_OID, writeCms } from '@proofdesk/proof/write-cms'
import { type Certificate, readCertificate } from '@proofdesk/proof/x509'
import { lowerEcdsaValue } from './lower-ecdsa-value.ts'

/** Who signs: an EC P-256 key, its certificate and the certificates above it, as DER. */
export interface Signer {
  key: KeyObject
  certificate: Uint8Array<ArrayBuffer>
  chain: readonly Uint8Array[]
}

const SHA256 = '2.16.840.1.101.3.4.2.1'
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'

/**
 * A detached CMS signature, PAdES baseline B-B: content type, message digest and signing-certificate-v2 are signed, which names
 * every certificate that comes along, so that none can be exchanged; there is no signing time, which PAdES forbids here (the
 * signature dictionary's /M has it).
 * @param digest SHA-256 of the signed bytes.
 * @returns DER.
 * @see RFC 5652 section 5, RFC 5035 section 3, ETSI EN 319 142-1 section 6.3
 */
export function makeCms(digest: Uint8Array, signer: Signer): Uint8Array<ArrayBuffer> {
  const certificate = readCertificate(signer.certificate)
  const signedAttributes = [
    writeAttribute(CMS_OID.contentType, writeOid(CMS_OID.data)),
    writeAttribute(CMS_OID.messageDigest, writeOctets(digest)),
    writeAttribute(CMS_OID.signingCertificateV2, writeNamedCertificates([signer.certificate, ...signer.chain])),
  ].sort(compareBytes)
  return writeCms({
    certificates: [signer.certificate, ...signer.chain].sort(compareBytes),
    issuer: certificate.issuer,
    serial: certificate.serial,
    digestAlgorithm: writeSequence(writeOid(SHA256)),
    signedAttributes,
    signatureAlgorithm: writeSequence(writeOid(ECDSA_WITH_SHA256)),
    // signed as a SET, carried under [0] (RFC 5652 section 5.4)
    signature: lowerEcdsaValue(sign('sha256', writeSet(...signedAttributes), signer.key)),
  })
}

function writeAttribute(type: string, value: Uint8Array): Uint8Array<ArrayBuffer> {
  return writeSequence(writeOid(type), writeSet(value))
}

/** The signer's first (RFC 5035 section 3). */
function writeNamedCertificates(certificates: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const ids = certificates.map((one) => writeCertificateId(readCertificate(new Uint8Array(one))))
  return writeSequence(writeSequence(...ids))
}

/** ESSCertIDv2 with the default hash, SHA-256; the issuer stands as directoryName under [4] (RFC 5035 section 4). */
function writeCertificateId({ whole, issuer, serial }: Certificate): Uint8Array<ArrayBuffer> {
  const hash = createHash('sha256').update(whole).digest()
  const issuerSerial = writeSequence(writeSequence(writeElement(context(4), issuer)), serial)
  return writeSequence(writeOctets(hash), issuerSerial)
}
