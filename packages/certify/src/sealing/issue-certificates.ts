import { KeyObject, randomBytes } from 'node:crypto'

const YEARS = 10
/** Clocks of verifiers may be behind. */
const BACKDATED_MS = 3_600_000
/**
 * RFC 9336 document signing, the older one that PDF viewers know, and e-mail protection: viewers built on NSS (Evince,
 * Okular, pdfsig) call a certificate with other purposes faulty unless it has this one too. It names no address.
 */
const DOCUMENT_SIGNING = ['1.3.6.1.5.5.7.3.36', '1.2.840.113583.1.1.5', '1.3.6.1.5.5.7.3.4']
/** ub-common-name and ub-organization-name of RFC 5280, appendix A.1. */
const MAX_NAME_LENGTH = 64

/** PEM texts. */
export interface IssuedCertificates {
  caKey: string
  caCertificate: string
  leafKey: string
  leafCertificate: string
}

/** Makes an issuing CA and the one document-signing certificate below it, both EC P-256. */
export async function makeIssuingCertificates(organisation: string, passphrase?: string): Promise<IssuedCertificates> {
  // loaded only here: on every later start the keys are there. The order matters: x509 needs the metadata polyfill first.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(crypto)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const caKeys = await makeKeyPair()
  const leafKeys = await makeKeyPair()
  const notBefore = new Date(Math.floor((Date.now() - BACKDATED_MS) / 1000) * 1000)
  const notAfter = new Date(notBefore)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS)
  const name = shortenName(organisation)
  const caName = new x509.Name([{ O: [name] }, { CN: [shortenName(`Proofdesk CA ${name}`)] }])
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: makeSerialNumber(),
    name: caName.toJSON(),
    notBefore,
    notAfter,
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  })
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: makeSerialNumber(),
    issuer: ca.subjectName.toJSON(),
    subject: new x509.Name([{ O: [name] }, { CN: [name] }]).toJSON(),
    notBefore,
    notAfter,
    publicKey: leafKeys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation, true),
      new x509.ExtendedKeyUsageExtension(DOCUMENT_SIGNING),
      await x509.SubjectKeyIdentifierExtension.create(leafKeys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  })
  return {
    caKey: exportKey(caKeys.privateKey, passphrase),
    caCertificate: ca.toString('pem'),
    leafKey: exportKey(leafKeys.privateKey, passphrase),
    leafCertificate: leaf.toString('pem'),
  }
}

async function makeKeyPair(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
}

function exportKey(key: CryptoKey, passphrase: string | undefined): string {
  const format = { type: 'pkcs8', format: 'pem' } as const
  const sealed = passphrase === undefined ? format : { ...format, cipher: 'aes-256-cbc', passphrase }
  return KeyObject.from(key).export(sealed).toString()
}

/** 16 random bytes, positive and of full length. */
function makeSerialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x3f) | 0x40
  return bytes.toString('hex')
}

function shortenName(name: string): string {
  const characters = [...name.trim()].slice(0, MAX_NAME_LENGTH)
  return characters.length === 0 ? 'Proofdesk' : characters.join('')
}
