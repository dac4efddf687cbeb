import { createHash, type KeyObject, sign } from 'node:crypto'
import {
  listDerElements,
  writeDer,
  writeObjectIdentifier,
  writeOctets,
  writeSequence,
  writeSet,
  writeSmallInteger,
} from './der.ts'

/** Who signs: an EC P-256 key, its certificate and the certificates above it, as DER. */
export interface Signer {
  key: KeyObject
  certificate: Uint8Array
  chain: readonly Uint8Array[]
}

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const

/**
 * A detached CMS signature, PAdES baseline B-B: content type, message digest and signing-certificate-v2 are signed; there
 * is no signing time, which PAdES forbids here (the signature dictionary's /M has it).
 * @param digest SHA-256 of the signed bytes.
 * @returns DER.
 * @see RFC 5652 section 5, RFC 5035 section 3, ETSI EN 319 142-1 section 6.3
 */
export function makeCms(digest: Uint8Array, signer: Signer): Buffer {
  const { issuer, serial } = readIssuerAndSerial(signer.certificate)
  const sha256 = writeSequence(writeObjectIdentifier(OID.sha256))
  const issuerAndSerial = writeSequence(issuer, serial)
  const attributes = writeSet(
    writeAttribute(OID.contentType, writeObjectIdentifier(OID.data)),
    writeAttribute(OID.messageDigest, writeOctets(digest)),
    writeAttribute(OID.signingCertificateV2, writeSigningCertificate(signer.certificate, issuer, serial)),
  )
  const signature = sign('sha256', attributes, signer.key)
  // signed as a SET, carried under [0] (RFC 5652 section 5.4)
  const carried = Buffer.from(attributes)
  carried[0] = 0xa0
  const signerInfo = writeSequence(
    writeSmallInteger(1),
    issuerAndSerial,
    sha256,
    carried,
    writeSequence(writeObjectIdentifier(OID.ecdsaWithSha256)),
    writeOctets(signature),
  )
  const certificates = [signer.certificate, ...signer.chain].sort((a, b) => Buffer.compare(a, b))
  const signedData = writeSequence(
    writeSmallInteger(1),
    writeSet(sha256),
    writeSequence(writeObjectIdentifier(OID.data)),
    writeDer(0xa0, ...certificates),
    writeSet(signerInfo),
  )
  return writeSequence(writeObjectIdentifier(OID.signedData), writeDer(0xa0, signedData))
}

function writeAttribute(type: string, value: Uint8Array): Buffer {
  return writeSequence(writeObjectIdentifier(type), writeSet(value))
}

/** ESSCertIDv2 with the default hash, SHA-256; the issuer stands as directoryName under [4] (RFC 5035 section 4). */
function writeSigningCertificate(certificate: Uint8Array, issuer: Uint8Array, serial: Uint8Array): Buffer {
  const hash = createHash('sha256').update(certificate).digest()
  const issuerSerial = writeSequence(writeSequence(writeDer(0xa4, issuer)), serial)
  return writeSequence(writeSequence(writeSequence(writeOctets(hash), issuerSerial)))
}

/** RFC 5280 section 4.1: version may be missing, then come serial number, algorithm and issuer. */
function readIssuerAndSerial(certificate: Uint8Array): { issuer: Uint8Array; serial: Uint8Array } {
  const [toBeSigned] = listDerElements(certificate)
  const fields = toBeSigned === undefined ? [] : listDerElements(toBeSigned.encoded)
  const first = fields[0]?.tag === 0xa0 ? 1 : 0
  const serial = fields[first]?.encoded
  const issuer = fields[first + 2]?.encoded
  if (serial === undefined || issuer === undefined) throw new TypeError('not a certificate')
  return { issuer, serial }
}
