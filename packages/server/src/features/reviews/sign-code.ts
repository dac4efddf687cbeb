import type { CertificateFields, CertifiedSource } from '@proofdesk/certify/types'
import { toVerifyUrl } from '@proofdesk/contract/proof-link'
import { computeFilesRoot } from '@proofdesk/proof/paper/files-root'
import { signPaperCode } from '@proofdesk/proof/paper/paper-code'
import type { Deps } from '../../deps.ts'

type SignedFields = Pick<
  CertificateFields,
  'proofId' | 'username' | 'title' | 'organisation' | 'approvedAt' | 'expiresAt'
>

/**
 * What the QR code of a certificate holds. It is signed before the claim decides: one whose claim fails goes with the file
 * that it was drawn into, and nobody has seen it. The key stays in this process.
 * @param reviewDocument SHA-256, hex.
 */
export async function signCode(
  { paperKey, config }: Pick<Deps, 'paperKey' | 'config'>,
  fields: SignedFields,
  originals: readonly CertifiedSource[],
  reviewDocument: string,
): Promise<CertificateFields['code']> {
  const { proofId, username, title, organisation, approvedAt, expiresAt } = fields
  const facts = {
    proofId,
    username,
    title,
    organisation,
    approvedAt: toSeconds(approvedAt),
    expiresAt: expiresAt === null ? null : toSeconds(expiresAt),
    pages: originals.reduce((sum, { pages }) => sum + pages, 0),
    filesRoot: computeFilesRoot(originals.map(({ sha256 }) => sha256)),
    reviewDocument,
  }
  return { address: `${toVerifyUrl(config.publicUrl)}#`, data: await signPaperCode(facts, paperKey) }
}

/** As the log has it: the rest of the last second is left out. */
const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
