import type { ProofDetails } from '@proofdesk/contract/certificates'
import type { JudgedProof } from '@proofdesk/contract/judged-proof'
import { sayEnglish } from '@proofdesk/contract/messages'
import { judgeProof, type ProofVerdict } from '@proofdesk/contract/proof-verdict'
import { toHex } from '@proofdesk/proof/bytes'
import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { parseNote } from '@proofdesk/proof/log/note'
import { readProofId } from '@proofdesk/proof/proof-id'
import { signReceipt } from '@proofdesk/proof/receipt'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Limit } from '../../http/limit.ts'
import { byClient } from '../../http/limits.ts'
import { findApproval, findNewestCheckpoint } from '../../log/queries.ts'
import { foldCase } from '../../text/fold-case.ts'
import { listContents } from '../contents/queries.ts'
import { mustStandAsChanged } from './changes/change-mac.ts'
import { findStandingProof, type StandingProof } from './changes/queries.ts'
import { isEqualText } from './equal-text.ts'
import { PROOF_MISS_ADDRESS, PROOF_MISS_PROOF_ID } from './limits.ts'
import { openApproval } from './open-approval.ts'
import { mustBeSealedByUs } from './proof-mac.ts'
import type { ProofRecord } from './queries.ts'
import { sayTime, toVerdictFacts } from './to-server-content.ts'
import type { CertifiedFile } from './send-certified.ts'
import { toStoredFile } from './to-stored-file.ts'

export interface GivenProof {
  proofid?: string | undefined
  username?: string | undefined
}

/**
 * The certified PDF for a stranger who knows its Proof ID and username.
 * @param clientAddress Of the caller. @param misses What counts those of it.
 * @throws AppError as `mustHold`
 */
export async function findForStranger(
  deps: Deps,
  given: GivenProof,
  clientAddress: string,
  misses: Limit,
): Promise<CertifiedFile> {
  const file = toStoredFile(deps.secrets, await mustHold(deps, given, clientAddress, misses), 'attachment')
  if (!file) throw new AppError('proof_not_found')
  return file
}

/**
 * What its certificate says, for the same stranger.
 * @param clientAddress Of the caller.
 * @throws AppError as `mustHold`
 */
export async function describeForStranger(deps: Deps, given: GivenProof, clientAddress: string): Promise<ProofDetails> {
  return describe(deps, await mustHold(deps, given, clientAddress), true)
}

/**
 * Whether it holds, and what its certificate says, in one answer whatever the verdict is.
 * @param clientAddress Of the caller.
 * @throws AppError as `judge`
 */
export async function judgeForProgram(deps: Deps, given: GivenProof, clientAddress: string): Promise<JudgedProof> {
  const { proof, verdict } = await judge(deps, given, clientAddress)
  const { revoked_at, revocation_reason: reason } = proof
  return { ...(await describe(deps, proof, verdict === 'valid')), verdict, revoked_at: sayTime(revoked_at), reason }
}

/**
 * The same as a receipt that this installation signs: of which document, when, and under which head of the log.
 * @param clientAddress Of the caller.
 * @throws AppError as `judge`; `log_behind` too where no head can be signed.
 */
export async function receiptForStranger(
  deps: Deps,
  given: GivenProof,
  clientAddress: string,
): Promise<{ receipt: string }> {
  const { proof, verdict } = await judge(deps, given, clientAddress)
  const { sealed_sha256: sha256, sealed_size: size, current_expire_time: expires, revoked_at: revoked } = proof
  if (sha256 === null || size === null) throw new AppError('proof_not_found')
  const { note } = (await findNewestCheckpoint(deps.reads)) ?? (await deps.log.sign())
  const { origin, size: entries, root } = parseCheckpoint(parseNote(note).text)
  const receipt = {
    proofId: proof.proofid,
    verdict,
    at: toSeconds(deps.now()),
    sha256,
    size,
    expiresAt: expires === null ? null : toSeconds(expires),
    revokedAt: verdict === 'revoked' && revoked !== null ? toSeconds(revoked) : null,
    head: { origin, size: entries, root: toHex(root) },
  }
  return { receipt: await signReceipt(receipt, deps.paperKey) }
}

const toSeconds = (ms: number): number => Math.floor(ms / 1000)

async function describe({ reads, config }: Deps, proof: ProofRecord, isInForce: boolean): Promise<ProofDetails> {
  const order = { by: 'position', direction: 'asc' } as const
  const contents = proof.collection_id === null ? [] : await listContents(reads, proof.collection_id, order)
  const approval = await openLogged(reads, proof)
  const organisation = approval?.org ?? config.organisation
  return {
    proofid: proof.proofid,
    title: proof.title,
    username: proof.username,
    issued_at: new Date(proof.approved_at).toISOString(),
    expire_time: sayTime(proof.current_expire_time),
    issuer: organisation,
    reviewer: proof.reviewer_username,
    reviewer_organisation: organisation,
    files: keepApproved(contents, proof.collection_id === null ? undefined : approval, isInForce).map(
      ({ title, file_name, type, size, sha256 }) => ({ title, file_name, type, size, sha256 }),
    ),
  }
}

type LoggedFields = ReturnType<typeof openApproval>['fields']

/**
 * What the log was told: the organisation, by its name of then, which stands on the certificate and in its code, and the files.
 * @returns undefined for an approval from before there was a log.
 * @throws AppError `proof_altered` when it is not what the log was told of.
 */
async function openLogged(reads: Deps['reads'], proof: ProofRecord): Promise<LoggedFields | undefined> {
  const approval = await findApproval(reads, proof.id)
  return approval && openApproval(proof, approval).fields
}

interface Original {
  sha256: string
  size: number
}

/**
 * Files that were approved. Nothing of an approved collection can be changed or deleted while its proof is in force: what
 * differs then was changed behind our back. Later its owner may change it.
 * @throws AppError `proof_altered`.
 */
function keepApproved<T extends Original>(
  contents: readonly T[],
  logged: LoggedFields | undefined,
  isInForce: boolean,
): readonly T[] {
  if (!logged) return contents
  const [, ...originals] = logged.doc
  const approved = contents.filter((one) =>
    originals.some(({ sha256, size }) => sha256 === one.sha256 && size === one.size),
  )
  const isWhole = approved.length === contents.length && contents.length === originals.length
  if (isInForce && !isWhole) throw new AppError('proof_altered')
  return approved
}

type Judging = Pick<Deps, 'reads' | 'limits' | 'now' | 'secrets' | 'log'>

/**
 * A proof in force.
 * @throws AppError as `judge`; `proof_revoked` and `proof_expired`, with since when and why.
 */
async function mustHold(deps: Judging, given: GivenProof, clientAddress: string, misses?: Limit): Promise<ProofRecord> {
  const { proof, verdict } = await judge(deps, given, clientAddress, misses)
  const { revoked_at, revocation_reason: reason, current_expire_time } = proof
  if (verdict === 'revoked' && revoked_at !== null && reason !== null)
    throw new AppError('proof_revoked', { facts: { revoked_at: new Date(revoked_at).toISOString(), reason } })
  if (verdict === 'valid') return proof
  const expire_time = sayTime(current_expire_time)
  throw new AppError('proof_expired', expire_time === null ? {} : { facts: { expire_time } })
}

/**
 * A published proof and its verdict, for a stranger who knows its Proof ID and username. An unknown Proof ID and a wrong username
 * take the same path: one look-up, one comparison of fixed length, one count. Only misses are counted; those at one Proof
 * ID, wherever they come from, never keep the right pair out, or anybody could make a proof unverifiable. What is away is
 * said to be away before anything else is said, and what is not as it was issued before whether it holds. So is a database
 * that is older than what the log has signed: it may not know of a revocation, or of the proof.
 * @param clientAddress Of the caller.
 * @throws AppError `proof_fields_missing`, `log_behind`, `proof_not_found`, `rate_limited`, `proof_altered`.
 */
async function judge(
  deps: Judging,
  given: GivenProof,
  clientAddress: string,
  misses: Limit = PROOF_MISS_ADDRESS,
): Promise<{ proof: ProofRecord; verdict: ProofVerdict }> {
  const username = given.username?.trim()
  if (!given.proofid?.trim() || !username) {
    const isMissing = { proofid: !given.proofid?.trim(), username: !username }
    const missing = Object.entries(isMissing).filter(([, is]) => is)
    const fields = Object.fromEntries(missing.map(([name]) => [name, [sayEnglish('field_required')]]))
    throw new AppError('proof_fields_missing', { fields })
  }
  deps.log.mustBeWhole()
  const proofId = readProofId(given.proofid)
  const proof = await deps.limits
    .watch(byClient(misses, clientAddress), () => matchProof(deps, proofId, username))
    .catch((error: unknown) => {
      throw findLimitBehind(error) ?? error
    })
  mustBeSealedByUs(deps.secrets, proof)
  mustStandAsChanged(deps.secrets, proof)
  return { proof, verdict: judgeProof(toVerdictFacts(proof), deps.now()) }
}

async function matchProof(
  { reads, limits }: Pick<Deps, 'reads' | 'limits'>,
  proofId: string | undefined,
  username: string,
): Promise<StandingProof> {
  const proof = await findStandingProof(reads, proofId ?? '')
  const isMatch = isEqualText(foldCase(username), foldCase(proof?.username ?? '')) && proof !== undefined
  // Nobody has been told of an approval that is not published yet, or was withdrawn instead.
  if (isMatch && proof.state === 'published') return proof
  // What is no Proof ID at all has nothing that could be guessed at.
  if (proofId !== undefined)
    await limits.attempt({ limit: PROOF_MISS_PROOF_ID, key: proofId }).catch((error: unknown) => {
      // Its asker has missed as well, and the right pair is never refused: as a limit alone it would not count for the address.
      throw isRateLimited(error) ? new AppError('proof_not_found', { cause: error }) : error
    })
  throw new AppError('proof_not_found')
}

/** What a miss is answered with once there were too many at its Proof ID. */
function findLimitBehind(error: unknown): AppError | undefined {
  const cause = error instanceof AppError && error.code === 'proof_not_found' ? error.cause : undefined
  return isRateLimited(cause) ? cause : undefined
}

function isRateLimited(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'rate_limited'
}
