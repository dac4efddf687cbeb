import { toBase64Url, fromBase64Url } from '../base64.ts'
import { areEqual, type Bytes } from '../bytes.ts'
import { formatInstancePolicy, parseInstancePolicy, type InstancePolicy } from '../instance-policy.ts'
import { formatCheckpoint } from '../log/checkpoint.ts'
import { commit, hideFields, type FieldName, type ProofFields } from '../log/commitment.ts'
import { cosign } from '../log/cosignature.ts'
import { writeCosignedMessage, writeTimedSignature } from '../log/cosigned-message.ts'
import { formatNote, SIGNATURE_TYPE, type NoteSignature, type NoteSigner } from '../log/note.ts'
import { formatProofExtra, type ProofExtra } from '../log/proof-extra.ts'
import { computeExpiryDay, formatStatement } from '../log/statements.ts'
import { formatStatusPage, makeStatusStatement, writeStatusBits, type StatusPage } from '../log/status-page.ts'
import { listPeaks, proveInclusion } from '../log/tiles.ts'
import { formatTlogProof, type TlogProof } from '../log/tlog-proof.ts'
import { makeProofId } from '../proof-id.ts'
import { writeUtf8 } from '../utf8.ts'
import { issueCertificate, pin, type TestCertificate } from './certificates.ts'
import { makeLogKey } from './log-keys.ts'
import { MemoryLog } from './memory-log.ts'
import { sealRevision0 } from './sign-seal.ts'
import { makeRevision0, sha256Hex } from './write-revision0.ts'

/** 2026-01-02 03:04:05 UTC, in seconds. */
export const TIME = 1_767_323_045
export const ENDS_AT = TIME + 365 * 86_400
export const INDEX = 2

const ORIGIN = 'proofs.example.org/log'
const SEED = Uint8Array.from({ length: 32 }, (_, i) => 255 - i)
const FINGERPRINT = toBase64Url(new Uint8Array(32))

export const logKey = makeLogKey(ORIGIN)
/** Run by another organisation, and by the issuer itself. */
export const witness = makeLogKey('witness.example.net/w1', SIGNATURE_TYPE.cosignature)
const ownWitness = makeLogKey('proofs.example.org/witness', SIGNATURE_TYPE.cosignature)

const authority = issueCertificate({ name: 'Authority', isAuthority: true })
const sealer = issueCertificate({ name: 'Sealer', issuer: authority, serial: 2 })
export const revision0 = makeRevision0()

/** What strangers were given of the instance. */
export const policy: InstancePolicy = parseInstancePolicy(
  formatInstancePolicy({
    organisation: 'Example University',
    logPolicy:
      `log ${logKey.verifierKey}\nwitness w1 ${witness.verifierKey}\nwitness own ${ownWitness.verifierKey}\n` +
      `group any any w1 own\nquorum any\n`,
    independentWitnesses: [witness.signer.name],
    pins: [pin(authority)],
    statusUrl: 'https://proofs.example.org/log/status/',
  }),
)

export const FIELDS: ProofFields = {
  pid: makeProofId(SEED),
  doc: [{ sha256: sha256Hex(revision0), size: revision0.length, type: 'application/pdf' }],
  iat: writeTime(TIME),
  exp: writeTime(ENDS_AT),
  sub: 'alice',
  col: 'Degree certificate',
  by: 'registrar',
  org: 'Example University',
  note: null,
  dig: 'c3'.repeat(32),
}

export function writeTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

/** How an example differs from an honest one. */
export interface CertifyChanges {
  fields?: Partial<ProofFields>
  /** What the entry says, apart from what the fields say. */
  time?: number
  expiryDay?: number | null
  /** When the witnesses signed: none when left out as null. */
  seenAt?: number | null
  ownSeenAt?: number | null
  hide?: FieldName[]
  /** Changes of what the file carries, after the entry was logged. */
  editExtra?: (extra: ProofExtra) => ProofExtra
  editExtraText?: (text: string) => string
  editProof?: (proof: TlogProof) => TlogProof
  signer?: NoteSigner
  origin?: string
  sealer?: { signer: TestCertificate; chain: TestCertificate[] }
  /** As the signature writes it. */
  signedAt?: string
  revision0?: Bytes
}

/** A certified PDF and the log that it stands in, made as the product makes them. */
export async function certify(changes: CertifyChanges = {}): Promise<{ file: Bytes; log: MemoryLog; proof: string }> {
  const fields = { ...FIELDS, ...changes.fields }
  const { commitment, disclosures } = commit(SEED, fields)
  const time = changes.time ?? TIME
  const expiryDay = changes.expiryDay === undefined ? computeExpiryDay(ENDS_AT) : changes.expiryDay
  const log = new MemoryLog()
  await log.append([
    formatStatement({ kind: 'genesis', origin: ORIGIN, time: TIME - 1000 }),
    formatStatement({ kind: 'key', operation: 'add', use: 'doc', fingerprint: FINGERPRINT, time: TIME - 1000 }),
    formatStatement({ kind: 'approve', commitment, time, ...(expiryDay !== null && { expiryDay }) }),
    formatStatement({ kind: 'approve', commitment: FINGERPRINT, time }),
  ])
  const { shown, hidden } = hideFields(disclosures, changes.hide ?? [])
  const extra: ProofExtra = { layout: 1, time, expiryDay, disclosures: shown, hidden, anchors: [] }
  const text = Buffer.from(formatProofExtra(changes.editExtra?.(extra) ?? extra)).toString()
  const honest: TlogProof = {
    index: INDEX,
    path: await proveInclusion(INDEX, log.size, log.readTile),
    checkpoint: await signCheckpoint(log, changes),
    extra: writeUtf8(changes.editExtraText?.(text) ?? text),
  }
  const proof = formatTlogProof(changes.editProof?.(honest) ?? honest)
  return { file: sealProof(proof, changes), log, proof }
}

/** Puts any proof into a sealed file. */
export function sealProof(
  proof: string | null,
  changes: Pick<CertifyChanges, 'sealer' | 'revision0' | 'signedAt'> = {},
): Bytes {
  return sealRevision0(changes.revision0 ?? revision0, {
    ...(changes.sealer ?? { signer: sealer, chain: [authority] }),
    proof: proof === null ? null : writeUtf8(proof),
    ...(changes.signedAt !== undefined && { signedAt: changes.signedAt }),
  })
}

/** The log's checkpoint as it stands, with cosignatures. */
export async function signCheckpoint(
  log: Pick<MemoryLog, 'size' | 'root'>,
  { seenAt = TIME + 3, ownSeenAt = null, signer = logKey.signer, origin = ORIGIN }: CertifyChanges = {},
): Promise<string> {
  const text = formatCheckpoint({ origin, size: log.size, root: log.root })
  const signature = { name: signer.name, keyId: signer.keyId, signature: await signer.sign(writeUtf8(text)) }
  const cosigned = [
    ...(ownSeenAt === null ? [] : [await cosign(text, ownWitness.signer, ownSeenAt)]),
    ...(seenAt === null ? [] : [await cosignAt(text, seenAt)]),
  ]
  return formatNote(text, [signature, ...cosigned])
}

/** Time 0, which says nothing of when, is written by others alone. */
async function cosignAt(text: string, time: number): Promise<NoteSignature> {
  const { name, keyId, sign } = witness.signer
  if (time > 0) return cosign(text, witness.signer, time)
  const signature = await sign(writeCosignedMessage(time, text))
  return { name, keyId, signature: writeTimedSignature({ time, signature }) }
}

/** How a status page is signed and shown. */
export type ShowChanges = Pick<CertifyChanges, 'signer' | 'origin' | 'seenAt' | 'ownSeenAt'>

/** Adds a status page to the log. */
export async function addStatusPage(
  log: MemoryLog,
  revoked: readonly number[],
  changes: Partial<StatusPage> & ShowChanges = {},
): Promise<string> {
  const { page = 0, size = log.size, time = TIME + 5000, bits = writeStatusBits(page, revoked) } = changes
  const status = { page, size, time, bits }
  await log.append([formatStatement(makeStatusStatement(status))])
  return showStatusPage(log, status, changes)
}

/** A status page that the log has, under its head as it is by now. */
export async function showStatusPage(
  log: MemoryLog,
  { page, size, time, bits }: StatusPage,
  { signer = logKey.signer, origin = ORIGIN, seenAt = TIME + 5003, ownSeenAt = null }: ShowChanges = {},
): Promise<string> {
  const status = { page, size, time, bits }
  const own = formatStatement(makeStatusStatement(status))
  const index = log.entries.findLastIndex((entry) => areEqual(entry, own))
  const path = await proveInclusion(index, log.size, log.readTile)
  const after = { peaks: await listPeaks(size, log.readTile), later: log.entries.slice(size) }
  return formatStatusPage(
    { ...status, ...after },
    {
      index,
      path,
      checkpoint: await signCheckpoint(log, { seenAt, ownSeenAt, signer, origin }),
    },
  )
}

/** A revocation as the log has it, or what undoes it. */
export function writeChange(kind: 'revoke' | 'reinstate', ref: number, time = TIME + 4000): Bytes {
  return formatStatement({ kind, ref, time, commitment: FINGERPRINT })
}

/** Another expiry as the log has it. @param expiryDay Null for never. */
export function writeMove(ref: number, expiryDay: number | null, time = TIME + 4000): Bytes {
  return formatStatement({
    kind: 'amend',
    ref,
    time,
    commitment: FINGERPRINT,
    ...(expiryDay !== null && { expiryDay }),
  })
}

/** Replaces text inside one disclosure. */
export function editDisclosure(extra: ProofExtra, from: string, to: string): ProofExtra {
  const disclosures = extra.disclosures.map((disclosure) => {
    const text = Buffer.from(fromBase64Url(disclosure)!).toString()
    return toBase64Url(writeUtf8(text.replace(from, to)))
  })
  if (disclosures.join() === extra.disclosures.join()) throw new Error(`no field has ${from}`)
  return { ...extra, disclosures }
}
