import {
  context,
  readChildren,
  readOnlyElement,
  TAG,
  writeElement,
  writeInteger,
  writeOctets,
  writeOid,
  writeSequence,
  writeSet,
} from '@proofdesk/proof/der'
import { CMS_OID, writeCms } from '@proofdesk/proof/write-cms'
import assert from 'node:assert/strict'
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCarriedCertificate } from '../signatures/carried-certificate.ts'
import { runJudge } from './judges.ts'

export type KeyKind = 'rsa' | 'rsa1024' | 'P-256' | 'P-384' | 'P-521' | 'secp256k1' | 'ed25519'

const KEY_OPTIONS: Record<KeyKind, string[]> = {
  rsa: ['rsa:2048'],
  rsa1024: ['rsa:1024'],
  'P-256': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-384': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  'P-521': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  secp256k1: ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
  ed25519: ['ed25519'],
}

/** A certificate that signed itself, and its key, as files. */
export interface OpensslSigner {
  keyPath: string
  certificatePath: string
}

let count = 0

/** @param subject As OpenSSL writes it, `/O=…/CN=…`. */
export async function makeOpensslSigner(
  folder: string,
  kind: KeyKind,
  subject: string,
  ...options: string[]
): Promise<OpensslSigner> {
  count += 1
  const signer = { keyPath: join(folder, `key-${count}.pem`), certificatePath: join(folder, `cert-${count}.pem`) }
  const subjectOptions = ['-subj', subject, '-addext', 'keyUsage=digitalSignature,nonRepudiation', ...options]
  const files = ['-keyout', signer.keyPath, '-out', signer.certificatePath]
  await run('req', '-x509', '-utf8', '-nodes', '-newkey', ...KEY_OPTIONS[kind], ...files, ...subjectOptions)
  return signer
}

/** A CMS signature, detached unless the options say otherwise. */
export async function signCms(
  folder: string,
  { keyPath, certificatePath }: OpensslSigner,
  content: Uint8Array,
  ...options: string[]
): Promise<Uint8Array<ArrayBuffer>> {
  const [from, to] = await keepContent(folder, content)
  const files = ['-in', from, '-out', to, '-inkey', keyPath, '-signer', certificatePath]
  await run('cms', '-sign', '-binary', '-outform', 'DER', ...files, ...options)
  return new Uint8Array(await readFile(to))
}

/** The same for whatever content comes. */
export const signBy =
  (folder: string, signer: OpensslSigner, ...options: string[]) =>
  (content: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
    signCms(folder, signer, content, ...options)

/** OpenSSL 3.0 does not make these: RFC 8419, with SHA-512. */
export function signByEd25519({ keyPath, certificatePath }: OpensslSigner) {
  return async (content: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
    const certificate = new X509Certificate(await readFile(certificatePath)).raw
    const { issuer, serial } = readCarriedCertificate(readOnlyElement(new Uint8Array(certificate)))
    const digest = createHash('sha512').update(content).digest()
    const signedAttributes = [
      writeSequence(writeOid(CMS_OID.contentType), writeSet(writeOid(CMS_OID.data))),
      writeSequence(writeOid(CMS_OID.messageDigest), writeSet(writeOctets(digest))),
    ]
    return writeCms({
      certificates: [certificate],
      issuer,
      serial,
      digestAlgorithm: writeSequence(writeOid('2.16.840.1.101.3.4.2.3')),
      signedAttributes,
      signatureAlgorithm: writeSequence(writeOid('1.3.101.112')),
      signature: sign(null, writeSet(...signedAttributes), createPrivateKey(await readFile(keyPath))),
    })
  }
}

export async function makeTimeStampSigner(folder: string): Promise<OpensslSigner> {
  const purpose = 'extendedKeyUsage=critical,timeStamping'
  return makeOpensslSigner(folder, 'rsa', '/O=Time Office/CN=Clock One', '-addext', purpose)
}

const TST_INFO = '1.2.840.113549.1.9.16.1.4'

const TSA_SETTINGS = `[tsa]
default_tsa = own
[own]
serial = SERIAL
default_policy = 1.2.3.4
digests = sha1, sha256, sha512
ess_cert_id_alg = sha256
ess_cert_id_chain = no
accuracy = secs:1, millisecs:500
clock_precision_digits = 3
ordering = no
tsa_name = no
signer_digest = sha256
`

/** An RFC 3161 token, as `openssl ts` makes it. */
export async function stampTime(
  folder: string,
  { keyPath, certificatePath }: OpensslSigner,
  content: Uint8Array,
  digest = 'sha256',
): Promise<Uint8Array<ArrayBuffer>> {
  const [from, to] = await keepContent(folder, content)
  const settings = join(folder, 'tsa.cnf')
  await writeFile(settings, TSA_SETTINGS.replace('SERIAL', join(folder, 'tsa.serial')))
  await run('ts', '-query', '-data', from, `-${digest}`, '-cert', '-out', `${from}.tsq`)
  const keys = ['-inkey', keyPath, '-signer', certificatePath]
  await run('ts', '-reply', '-config', settings, '-queryfile', `${from}.tsq`, ...keys, '-token_out', '-out', to)
  return new Uint8Array(await readFile(to))
}

/**
 * A token of the form that RFC 3161 has, made with any certificate and for any time, which `openssl ts` refuses to make.
 * @param laterMs Than now. @param isNamed Whether it names its certificate by hash.
 */
export async function stampByHand(
  folder: string,
  signer: OpensslSigner,
  content: Uint8Array,
  laterMs = 0,
  isNamed = true,
): Promise<Uint8Array<ArrayBuffer>> {
  const digits = new Date(Date.now() + laterMs).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const info = writeSequence(
    writeInteger(1),
    writeOid('1.2.3.4'),
    writeSequence(
      writeSequence(writeOid('2.16.840.1.101.3.4.2.1')),
      writeOctets(createHash('sha256').update(content).digest()),
    ),
    writeInteger(1),
    writeElement(TAG.generalizedTime, Buffer.from(`${digits}Z`)),
  )
  const options = ['-nodetach', '-econtent_type', TST_INFO, ...(isNamed ? ['-cades'] : [])]
  return signCms(folder, signer, info, ...options)
}

/** Puts time-stamp tokens into a container, each in an attribute of its own, where nobody signs them. */
export function attachTimeStamp(
  container: Uint8Array<ArrayBuffer>,
  ...tokens: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const attributes = tokens.map((token) => writeSequence(writeOid(CMS_OID.timeStampToken), writeSet(token)))
  return editSigner(container, (parts) => [...parts, writeElement(context(1), ...attributes)])
}

/** The bare signature value. */
export function readValue(container: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let value = new Uint8Array()
  editSigner(container, (parts) => {
    value = readOnlyElement(parts.at(-1)!).contents
    return parts
  })
  return value
}

/** Writes the container anew with other parts of its one signer. */
export function editSigner(
  container: Uint8Array<ArrayBuffer>,
  edit: (parts: Uint8Array<ArrayBuffer>[]) => readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  return editSignedData(container, (parts) => {
    const [signer] = readChildren(readOnlyElement(parts.at(-1)!))
    return [...parts.slice(0, -1), writeSet(writeSequence(...edit(readChildren(signer).map(({ whole }) => whole))))]
  })
}

/** Writes the container anew with other parts. */
export function editSignedData(
  container: Uint8Array<ArrayBuffer>,
  edit: (parts: Uint8Array<ArrayBuffer>[]) => readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const [type, wrapped] = readChildren(readOnlyElement(container))
  const [data] = readChildren(wrapped)
  const parts = readChildren(data).map(({ whole }) => whole)
  return writeSequence(type!.whole, writeElement(context(0), writeSequence(...edit(parts))))
}

async function keepContent(folder: string, content: Uint8Array): Promise<[from: string, to: string]> {
  count += 1
  const from = join(folder, `content-${count}`)
  await writeFile(from, content)
  return [from, `${from}.der`]
}

async function run(...args: string[]): Promise<void> {
  const { code, text } = await runJudge('openssl', ...args)
  assert.equal(code, 0, text)
}
