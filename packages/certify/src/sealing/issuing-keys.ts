import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CertifyError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { makeIssuingCertificates } from './issue-certificates.ts'
import { syncFolder, writeDurably } from '../write-durably.ts'

/** Files of the folder `issuing` in the keys folder; there are all of them or none. */
const FILES = {
  caKey: 'ca.key.pem',
  caCertificate: 'ca.cert.pem',
  leafKey: 'document-signing.key.pem',
  leafCertificate: 'document-signing.cert.pem',
} as const
const FOLDER = 'issuing'
const PART_PREFIX = 'issuing.part-'

export interface IssuingKeysRequest {
  /** Folder of all keys (`KEYS_DIR`); made with mode 0700 if it is missing. */
  dir: string
  /** Name in the certificates, any script. Only used when they are made. */
  organisation: string
  /** Encrypts the private keys on disk; must be the same ever after. */
  passphrase?: string | undefined
}

/** Public side of the issuing keys. Fingerprints are SHA-256 of the certificate's DER, 64 lower-case hex digits. */
export interface IssuingKeys {
  caFingerprint: string
  leafFingerprint: string
  caPem: string
  caPath: string
  leafPath: string
  /** ms since 1970 UTC: no seal after this. */
  expiresAt: number
  /** They were made by this call. */
  isNew: boolean
}

/** What a signer needs; stays in the thread that signs. */
export interface SigningKey {
  key: KeyObject
  leaf: X509Certificate
  ca: X509Certificate
}

/**
 * Reads the issuing CA and the document-signing certificate, and makes them when the folder has none (EC P-256, 10 years).
 * They are made in a folder aside that is renamed when every file in it is durable: a process killed half-way leaves
 * nothing that counts, and of two that start at once one wins.
 * @throws CertifyError `keys_incomplete`, `keys_unreadable`, `keys_foreign`.
 */
export async function ensureIssuingKeys(request: IssuingKeysRequest): Promise<IssuingKeys> {
  await makeFolder(request.dir).catch((error: unknown) => {
    throw new CertifyError('keys_unreadable', `the folder ${request.dir} cannot be made`, { cause: error })
  })
  const isNew = !(await hasFolder(request.dir)) && (await makeKeys(request))
  const { leaf, ca } = await loadSigningKey(request.dir, request.passphrase)
  return {
    caFingerprint: fingerprint(ca),
    leafFingerprint: fingerprint(leaf),
    caPem: ca.toString(),
    caPath: join(request.dir, FOLDER, FILES.caCertificate),
    leafPath: join(request.dir, FOLDER, FILES.leafCertificate),
    expiresAt: Math.min(leaf.validToDate.getTime(), ca.validToDate.getTime()),
    isNew,
  }
}

/**
 * Reads the signing key and checks that the files belong together.
 * @throws CertifyError as `ensureIssuingKeys`.
 */
export async function loadSigningKey(dir: string, passphrase?: string): Promise<SigningKey> {
  const [caKey, caPem, leafKey, leafPem] = await Promise.all([
    readKeyFile(dir, FILES.caKey),
    readKeyFile(dir, FILES.caCertificate),
    readKeyFile(dir, FILES.leafKey),
    readKeyFile(dir, FILES.leafCertificate),
  ])
  const ca = parseCertificate(caPem, FILES.caCertificate)
  const leaf = parseCertificate(leafPem, FILES.leafCertificate)
  const key = parsePrivateKey(leafKey, FILES.leafKey, passphrase)
  const authority = parsePrivateKey(caKey, FILES.caKey, passphrase)
  const isOurs =
    hasKey(leaf, key) && hasKey(ca, authority) && ca.ca && !leaf.ca && leaf.checkIssued(ca) && leaf.verify(ca.publicKey)
  if (!isOurs || key.asymmetricKeyType !== 'ec') {
    throw new CertifyError('keys_foreign', `the files in ${join(dir, FOLDER)} do not belong together`)
  }
  return { key, leaf, ca }
}

/**
 * The two certificates alone, for whoever watches when they end.
 * @throws CertifyError `keys_incomplete`, `keys_unreadable`.
 */
export async function readIssuingCertificates(dir: string): Promise<Pick<SigningKey, 'leaf' | 'ca'>> {
  const [ca, leaf] = await Promise.all([readKeyFile(dir, FILES.caCertificate), readKeyFile(dir, FILES.leafCertificate)])
  return { ca: parseCertificate(ca, FILES.caCertificate), leaf: parseCertificate(leaf, FILES.leafCertificate) }
}

/** Where the two private keys lie. */
export function listIssuingKeyFiles(dir: string): string[] {
  return [FILES.caKey, FILES.leafKey].map((name) => join(dir, FOLDER, name))
}

const fingerprint = (certificate: X509Certificate): string =>
  certificate.fingerprint256.replaceAll(':', '').toLowerCase()

async function hasFolder(dir: string): Promise<boolean> {
  return (await listFiles(dir)).includes(FOLDER)
}

async function listFiles(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    throw new CertifyError('keys_unreadable', `the folder ${dir} cannot be read`, { cause: error })
  }
}

/**
 * What killed processes left. Those of a start that is under way right now may go too: its keys are no longer wanted. It
 * may be writing into its folder at this moment, and removes that itself when it sees that it was not first; so what
 * cannot be removed now is no reason to fail.
 */
async function removeLeftovers(dir: string): Promise<void> {
  const parts = (await listFiles(dir)).filter((name) => name.startsWith(PART_PREFIX))
  await Promise.all(parts.map((name) => removePart(join(dir, name))))
}

async function removePart(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

/** @returns false when another process made them first. */
async function makeKeys({ dir, organisation, passphrase }: IssuingKeysRequest): Promise<boolean> {
  const made = await makeIssuingCertificates(organisation, passphrase || undefined)
  const aside = await mkdtemp(join(dir, PART_PREFIX))
  try {
    for (const name of Object.keys(FILES) as (keyof typeof FILES)[]) {
      await writeDurably(join(aside, FILES[name]), Buffer.from(made[name]))
    }
    await rename(aside, join(dir, FOLDER))
  } catch (error) {
    await removePart(aside)
    // another process was first; it may have removed our part as a leftover
    if (await hasFolder(dir)) return false
    throw new CertifyError('keys_unreadable', `keys cannot be written to ${dir}`, { cause: error })
  }
  await removeLeftovers(dir)
  await syncFolder(dir)
  return true
}

async function readKeyFile(dir: string, name: string): Promise<string> {
  const path = join(dir, FOLDER, name)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'is missing' : 'cannot be read'
    throw new CertifyError(isMissing ? 'keys_incomplete' : 'keys_unreadable', `${path} ${why}`, { cause: error })
  }
}

function parseCertificate(pem: string, name: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    throw new CertifyError('keys_unreadable', `${name} holds no certificate`, { cause: error })
  }
}

function parsePrivateKey(pem: string, name: string, passphrase: string | undefined): KeyObject {
  const isEncrypted = pem.includes('ENCRYPTED')
  if (isEncrypted && !passphrase) throw new CertifyError('keys_unreadable', `${name} needs a passphrase`)
  try {
    return createPrivateKey(passphrase ? { key: pem, passphrase } : pem)
  } catch (error) {
    const why = isEncrypted ? 'cannot be opened with this passphrase' : 'holds no private key'
    throw new CertifyError('keys_unreadable', `${name} ${why}`, { cause: error })
  }
}

function hasKey(certificate: X509Certificate, key: KeyObject): boolean {
  return certificate.publicKey.equals(createPublicKey(key))
}
