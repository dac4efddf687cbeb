import { areEqual, readLatin1, toHex } from './bytes.ts'
import {
  context,
  readChildren,
  readContents,
  readOid,
  readOnlyElement,
  readTime,
  readWhole,
  TAG,
  writeElement,
} from './der.ts'
import type { DerElement } from './der.ts'
import { refuse } from './errors.ts'
import { remember } from './remember.ts'
import { checkSignature, digest, readAlgorithm } from './signature-algorithms.ts'
import { writeUtf8 } from './utf8.ts'

/** The parts of an X.509 certificate that decide about a signature. RFC 5280 section 4.1. */
export interface Certificate {
  whole: Uint8Array<ArrayBuffer>
  /** The part that its issuer signed. */
  signed: Uint8Array<ArrayBuffer>
  algorithm: string
  signature: Uint8Array<ArrayBuffer>
  /** DER of the serial number, of both names, and the public key. */
  serial: Uint8Array<ArrayBuffer>
  issuer: Uint8Array<ArrayBuffer>
  subject: Uint8Array<ArrayBuffer>
  publicKey: DerElement
  /** Milliseconds since 1970 UTC, both included. */
  validFrom: number
  validTo: number
  isAuthority: boolean
}

const BASIC_CONSTRAINTS = '2.5.29.19'

/** Own certificates hang directly under their authority; more is allowed for bought ones, up to the pinned one. */
const MAX_PATH = 6

/**
 * Reads a certificate, and makes sure that no byte outside its signature could have been changed.
 * @throws ProofError `der`, `x509`.
 */
export function readCertificate(bytes: Uint8Array<ArrayBuffer>): Certificate {
  const [tbs, algorithm, value] = readChildren(readOnlyElement(bytes), TAG.sequence)
  const signed = readWhole(tbs)
  const fields = readChildren(tbs, TAG.sequence)
  if (fields[0]?.tag === context(0)) fields.shift()
  const [serial, signedAlgorithm, issuer, validity, subject, publicKey] = fields
  const [from, to] = readChildren(validity, TAG.sequence)
  const { oid, whole: algorithmBytes } = readAlgorithm(algorithm)
  const signature = readContents(value, TAG.bitString).subarray(1)
  const rebuilt = writeElement(
    TAG.sequence,
    signed,
    algorithmBytes,
    writeElement(TAG.bitString, Uint8Array.of(0), signature),
  )
  // RFC 5280 section 4.1.1.2: the algorithm stands outside the signed part too, where nothing protects it
  if (!areEqual(algorithmBytes, readAlgorithm(signedAlgorithm).whole) || !areEqual(rebuilt, bytes)) {
    refuse('x509', 'not the certificate that was signed')
  }
  return {
    whole: bytes,
    signed,
    algorithm: oid,
    signature,
    serial: readWhole(serial),
    issuer: readWhole(issuer),
    subject: readWhole(subject),
    publicKey: publicKey ?? refuse('x509', 'no public key'),
    validFrom: readTime(from),
    validTo: readTime(to),
    isAuthority: readIsAuthority(fields.find(({ tag }) => tag === context(3))),
  }
}

/** The flag of the basic constraints. RFC 5280 section 4.2.1.9. */
function readIsAuthority(extensions: DerElement | undefined): boolean {
  if (!extensions) return false
  for (const extension of readChildren(readChildren(extensions)[0], TAG.sequence)) {
    const parts = readChildren(extension, TAG.sequence)
    if (readOid(parts[0]) !== BASIC_CONSTRAINTS) continue
    const [flag] = readChildren(readOnlyElement(readContents(parts.at(-1), TAG.octetString)), TAG.sequence)
    return flag?.tag === TAG.boolean && flag.contents[0] === 0xff
  }
  return false
}

/** SHA-256 of the certificate, 64 lower-case hex digits: how pins and signers are named. */
export async function nameCertificate(certificate: Certificate): Promise<string> {
  return toHex(await digest('SHA-256', certificate.whole))
}

/**
 * Follows the issuers from `leaf` up to a pinned certificate. Every certificate carried must lie on that path, or above its end
 * and be signed by itself: another could be exchanged unseen.
 * @param carried All certificates at hand, `leaf` among them.
 * @param pins SHA-256 of trusted certificates, lower-case hex.
 * @param at Milliseconds since 1970 UTC at which all of them must be valid.
 * @throws ProofError `x509`, `x509_time`, `x509_trust`.
 * @see RFC 5280 section 6.1; key usage, path length, name constraints and policies are not looked at: the pins are few and known
 */
export async function verifyPath(
  leaf: Certificate,
  carried: readonly Certificate[],
  pins: readonly string[],
  at: number,
): Promise<void> {
  const path = new Set<Certificate>()
  for (let current = leaf; path.size < MAX_PATH;) {
    path.add(current)
    if (at < current.validFrom || at > current.validTo)
      refuse('x509_time', `not valid at ${new Date(at).toISOString()}`)
    const issuer = carried.find(({ isAuthority, subject }) => isAuthority && areEqual(subject, current.issuer))
    if (issuer) await verifyIssued(current, issuer)
    if (pins.includes(await nameCertificate(current))) {
      if (issuer && !path.has(issuer)) await addAbove(path, issuer)
      if (path.size !== carried.length) refuse('x509', 'a certificate outside the path')
      return
    }
    if (!issuer || path.has(issuer)) return refuse('x509_trust', 'no path to a pinned certificate')
    current = issuer
  }
  refuse('x509_trust', 'path too long')
}

/** The issuer of the pinned certificate. Nothing but its own key vouches for the rest of it. */
async function addAbove(path: Set<Certificate>, issuer: Certificate): Promise<void> {
  if (!areEqual(issuer.subject, issuer.issuer)) refuse('x509', 'a certificate above the path that another one issued')
  await verifyIssued(issuer, issuer)
  path.add(issuer)
}

/** A certificate is that of all documents which one issuer seals. */
const findIssued = remember<boolean>()

async function verifyIssued(certificate: Certificate, issuer: Certificate): Promise<void> {
  const { algorithm, signature, signed } = certificate
  const { publicKey } = issuer
  const parts = [writeUtf8(algorithm), signature, signed, publicKey.whole]
  const isRight = await findIssued(parts.map((part) => `${part.length} ${readLatin1(part)}`).join(), () =>
    checkSignature({ algorithm, hash: null, publicKey, signature, signed }),
  )
  if (!isRight) refuse('x509', 'signature of a certificate')
}
