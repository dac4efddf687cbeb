import { areEqual, fromHex, readLatin1, toHex } from './bytes.ts'
import { verifyDetachedCms } from './cms.ts'
import { parseDigits, readElement } from './der.ts'
import { ProofError, refuse } from './errors.ts'
import {
  MAX_CONTENTS_BYTES,
  measureToContents,
  PROOF_OBJECT_END,
  renderSeal,
  startProofObject,
  startSignatureDate,
} from './pdf-layout/render.ts'
import { scanRevision0, type Revision0Facts } from './pdf-layout/scan.ts'
import { digest } from './signature-algorithms.ts'
import { nameCertificate, verifyPath, type Certificate } from './x509.ts'

/** What a good seal says. That the log knows revision 0, and that the signer was ours then, is for the caller to check. */
export interface SealVerdict {
  /** Length of revision 0 in bytes. */
  revision0Size: number
  /** Lower-case hex. */
  revision0Sha256: string
  /** The embedded `.tlog-proof`; null where the instance has no log. */
  proof: Uint8Array<ArrayBuffer> | null
  /** SHA-256 of the signer's certificate, lower-case hex. */
  signer: string
  /** Time stated by the issuer, milliseconds since 1970 UTC. Confirmed by nobody else. */
  claimedAt: number
}

/** First line of a proof file. c2sp.org/tlog-proof */
const PROOF_FIRST_LINE = 'c2sp.org/tlog-proof@v1\n'

/** What a seal says before it is known who made it. */
export interface OpenedSeal extends Omit<SealVerdict, 'signer'> {
  signer: Certificate
  /** All that the seal carries, the signer's among them. */
  certificates: readonly Certificate[]
}

/**
 * Verifies a certified PDF: revision 0 in its one layout, and exactly one sealing update after it. The update is never
 * interpreted: its few variable parts are pulled out, it is rendered again from them, and the bytes are compared.
 * @param bytes The whole file.
 * @param options `pins`: SHA-256 (lower-case hex) of the certificates, or of the authorities, that may sign.
 * @throws ProofError for every file that is not such a PDF, whatever its bytes; nothing else.
 */
export async function verifySeal(
  bytes: Uint8Array<ArrayBuffer>,
  options: { pins: readonly string[] },
): Promise<SealVerdict> {
  const { signer, certificates, ...said } = await openSeal(bytes)
  return { ...said, signer: await verifySigner({ signer, certificates, claimedAt: said.claimedAt }, options.pins) }
}

/**
 * As `verifySeal`, but whoever signed: that the signature is right says nothing before `verifySigner`.
 * @throws ProofError for every file that is not such a PDF, whatever its bytes; nothing else.
 */
export function openSeal(bytes: Uint8Array<ArrayBuffer>): Promise<OpenedSeal> {
  return throwOnlyProofErrors(() => judge(bytes))
}

/**
 * Whether the certificate of a seal was pinned, or leads to one that was, at the time that the seal states.
 * @param pins SHA-256 (lower-case hex) of the certificates, or of the authorities, that may sign.
 * @returns SHA-256 of the signer's certificate, lower-case hex.
 * @throws ProofError `x509`, `x509_time`, `x509_trust`, `malformed`, `unsupported`; nothing else.
 */
export function verifySigner(
  { signer, certificates, claimedAt }: Pick<OpenedSeal, 'signer' | 'certificates' | 'claimedAt'>,
  pins: readonly string[],
): Promise<string> {
  return throwOnlyProofErrors(async () => {
    await verifyPath(signer, certificates, pins, claimedAt)
    return nameCertificate(signer)
  })
}

async function throwOnlyProofErrors<T>(run: () => Promise<T>): Promise<T> {
  // pages that did not come over https have no `subtle`
  if (!(globalThis.crypto.subtle as SubtleCrypto | undefined)) throw new ProofError('unsupported', 'no WebCrypto')
  try {
    return await run()
  } catch (error) {
    // too little memory, or what this browser's WebCrypto does not do, is no fault of the file
    throw error instanceof ProofError ? error : new ProofError('unsupported', String(error), { cause: error })
  }
}

async function judge(bytes: Uint8Array<ArrayBuffer>): Promise<OpenedSeal> {
  const facts = scanRevision0(bytes)
  if (facts.sizeBytes === bytes.length) refuse('unsealed', 'revision 0 only')
  const revision0Sha256 = toHex(await digest('SHA-256', bytes.subarray(0, facts.sizeBytes)))
  const { proof, signedAt, contentsHex } = readParts(bytes, facts)
  const rendered = renderSeal(facts, { proof, signedAt, contentsHex, revision0Sha256 })
  if (!areEqual(rendered.bytes, bytes.subarray(facts.sizeBytes, rendered.end))) {
    refuse('seal', 'not the sealing update that this program writes')
  }
  if (rendered.end !== bytes.length) refuse('after_seal', 'bytes after the sealing update')
  if (proof) checkProofText(proof)
  const claimedAt =
    parseDigits(signedAt, /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/) ?? refuse('seal', 'date of the signature')
  const content = leaveOut(bytes, rendered.gap)
  const { signer, certificates } = await verifyDetachedCms(readSignature(contentsHex), (hash) => digest(hash, content))
  return { revision0Size: facts.sizeBytes, revision0Sha256, proof, claimedAt, signer, certificates }
}

interface FoundParts {
  proof: Uint8Array<ArrayBuffer> | null
  signedAt: string
  contentsHex: string
}

/** Takes the variable parts from where layout 1 has them; whether all between them is right, the comparison tells. */
function readParts(bytes: Uint8Array<ArrayBuffer>, facts: Revision0Facts): FoundParts {
  const found = findProof(bytes, facts)
  const signatureAt = facts.sizeBytes + (found ? found.objectBytes : 0)
  const dateAt = signatureAt + startSignatureDate(facts).length
  const signedAt = readLatin1(bytes, dateAt, dateAt + 'D:YYYYMMDDHHmmSSZ'.length)
  const contentsAt = signatureAt + measureToContents(facts, signedAt)
  const contentsEnd = bytes.subarray(contentsAt, contentsAt + 2 * MAX_CONTENTS_BYTES + 1).indexOf(0x3e)
  // Without an end it is empty, which rendering refuses.
  const contentsHex = readLatin1(bytes, contentsAt, contentsAt + contentsEnd)
  return { proof: found ? found.proof : null, signedAt, contentsHex }
}

/** The proof object, if the update begins with one. */
function findProof(bytes: Uint8Array<ArrayBuffer>, facts: Revision0Facts) {
  const start = readLatin1(bytes, facts.sizeBytes, facts.sizeBytes + 200)
  const digits = /\/Length (\d{1,7})>>\nstream\n/.exec(start)?.[1]
  if (digits === undefined || !start.startsWith(`${facts.proofSlot} 0 obj\n`)) return undefined
  const length = Number(digits)
  const from = facts.sizeBytes + startProofObject(facts, length, 'D:YYYYMMDDHHmmSSZ').length
  const proof = bytes.slice(from, from + length)
  return { proof, objectBytes: from + length + PROOF_OBJECT_END.length - facts.sizeBytes }
}

function checkProofText(proof: Uint8Array): void {
  let text = ''
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(proof)
  } catch {
    refuse('seal', 'the proof is no text')
  }
  if (!text.startsWith(PROOF_FIRST_LINE)) refuse('seal', 'the proof is none of this format')
}

/** The CMS container inside /Contents; nothing but zeros may follow it. ISO 32000-2 section 12.8.3.3. */
function readSignature(contentsHex: string): Uint8Array<ArrayBuffer> {
  const padded = fromHex(contentsHex)
  const { whole } = readElement(padded)
  if (padded.subarray(whole.length).some((byte) => byte !== 0)) refuse('seal', 'padding of /Contents')
  return whole
}

/** The bytes that the signature covers. WebCrypto has no running digest, so this is one copy of the file. */
function leaveOut(bytes: Uint8Array<ArrayBuffer>, [start, end]: [number, number]): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(bytes.length - (end - start))
  content.set(bytes.subarray(0, start))
  content.set(bytes.subarray(end), start)
  return content
}
