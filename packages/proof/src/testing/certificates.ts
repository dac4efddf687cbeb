import { createHash, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { context, TAG, writeElement, writeInteger, writeOctets, writeOid, writeSequence, writeSet } from '../der.ts'

export interface TestCertificate {
  key: KeyObject
  certificate: Uint8Array<ArrayBuffer>
  name: string
}

export interface CertificateRequest {
  name: string
  isAuthority?: boolean
  /** Signs itself when left out. */
  issuer?: TestCertificate
  kind?: 'P-256' | 'P-384' | 'RSA'
  /** Key to certify; a new one when left out. */
  key?: KeyObject
  years?: [from: number, to: number]
  serial?: number
}

const SIGNATURE_OIDS = { ec: '1.2.840.10045.4.3.2', rsa: '1.2.840.113549.1.1.11' }

/** The AlgorithmIdentifier with which such a key signs: ECDSA or PKCS #1 v1.5, SHA-256. */
export function writeSignatureAlgorithm(key: KeyObject): Uint8Array<ArrayBuffer> {
  if (key.asymmetricKeyType === 'ec') return writeSequence(writeOid(SIGNATURE_OIDS.ec))
  return writeSequence(writeOid(SIGNATURE_OIDS.rsa), writeElement(TAG.null))
}

function writeName(name: string): Uint8Array<ArrayBuffer> {
  return writeSequence(writeSet(writeSequence(writeOid('2.5.4.3'), writeElement(0x0c, new TextEncoder().encode(name)))))
}

/** A new key with its X.509 certificate. */
export function issueCertificate(request: CertificateRequest): TestCertificate {
  const key = request.key ?? makeKey(request.kind ?? 'P-256')
  const signingKey = request.issuer?.key ?? key
  const [from, to] = request.years ?? [2020, 2040]
  const writeYear = (year: number) => writeElement(TAG.generalizedTime, new TextEncoder().encode(`${year}0101000000Z`))
  const flag = request.isAuthority ? [writeElement(TAG.boolean, Uint8Array.of(0xff))] : []
  const tbs = writeSequence(
    writeElement(context(0), writeInteger(2)),
    writeInteger(request.serial ?? 1),
    writeSignatureAlgorithm(signingKey),
    writeName(request.issuer?.name ?? request.name),
    writeSequence(writeYear(from), writeYear(to)),
    writeName(request.name),
    new Uint8Array(createPublicKey(key).export({ type: 'spki', format: 'der' })),
    writeElement(context(3), writeSequence(writeSequence(writeOid('2.5.29.19'), writeOctets(writeSequence(...flag))))),
  )
  const signature = writeElement(TAG.bitString, Uint8Array.of(0), sign('sha256', tbs, signingKey))
  return { key, certificate: writeSequence(tbs, writeSignatureAlgorithm(signingKey), signature), name: request.name }
}

function makeKey(kind: 'P-256' | 'P-384' | 'RSA'): KeyObject {
  if (kind === 'RSA') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return generateKeyPairSync('ec', { namedCurve: kind }).privateKey
}

/** SHA-256 of the certificate in hex: how it is pinned. */
export function pin({ certificate }: TestCertificate): string {
  return createHash('sha256').update(certificate).digest('hex')
}
