import { toProofLink } from '@proofdesk/contract/proof-link'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { comparePrinted } from '@proofdesk/proof/paper/compare-printed'
import { findPaperCode } from '@proofdesk/proof/paper/find-paper-code'
import { readPaperCode } from '@proofdesk/proof/paper/paper-code'
import { computeFilesRoot } from '@proofdesk/proof/paper/files-root'
import type { PaperClaims } from '@proofdesk/proof/paper/paper-claims'
import { verifyPaper, type PaperReport } from '@proofdesk/proof/paper/verify-paper'
import type { ProofDetails } from '@proofdesk/contract/certificates'
import { readPolicy } from './check-document.ts'

/** What this browser found out about a printed code by itself. */
export interface JudgedCode {
  report: PaperReport
  policy: InstancePolicy
}

/**
 * The fields of a printed code, whoever signed it, as a link would bring them.
 * @returns undefined where none can be read; what is wrong is told where it is judged.
 */
export function toLinkFragment(fragment: string): string | undefined {
  const code = findPaperCode(fragment)
  try {
    if (code === undefined) return undefined
    const { proofId, username } = readPaperCode(code).claims
    return new URL(toProofLink(location.origin, proofId, username)).hash
  } catch {
    return undefined
  }
}

/** @throws NetworkError when the server does not say whose keys to check by. */
export async function judgeCode(fragment: string): Promise<JudgedCode> {
  const policy = await readPolicy()
  return { policy, report: await verifyPaper(fragment, { policy, now: Date.now() }) }
}

/** What a printed code and a record both say. */
export type ComparedField = 'title' | 'username' | 'organisation' | 'approvedAt' | 'expiresAt' | 'filesRoot'

/** Fields of the record that differ from the code. */
export function listDifferences(claims: PaperClaims, record: ProofDetails): ComparedField[] {
  const isSame: Record<ComparedField, boolean> = {
    title: comparePrinted('title', claims, record.title) === true,
    username: comparePrinted('username', claims, record.username) === true,
    organisation: comparePrinted('organisation', claims, record.issuer) === true,
    approvedAt: toSeconds(record.issued_at) === claims.approvedAt,
    expiresAt: (record.expire_time === null ? null : toSeconds(record.expire_time)) === claims.expiresAt,
    filesRoot: computeFilesRoot(record.files.map(({ sha256 }) => sha256)) === claims.filesRoot,
  }
  return (Object.keys(isSame) as ComparedField[]).filter((field) => !isSame[field])
}

const toSeconds = (time: string): number => Math.floor(Date.parse(time) / 1000)
