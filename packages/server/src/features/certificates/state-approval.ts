import { fromHex } from '@proofdesk/proof/bytes'
import { commit, type ApprovedDocument, type ProofFields } from '@proofdesk/proof/log/commitment'
import { computeExpiryDay, type ApproveStatement } from '@proofdesk/proof/log/statements'

const MEDIA_TYPES = { PDF: 'application/pdf', JPEG: 'image/jpeg', PNG: 'image/png' } as const

/** What the leaf of an approval commits to, and nobody reads there. Times are milliseconds since 1970-01-01 UTC. */
export interface ApprovalFacts {
  proofid: string
  revision0: { sha256: string; sizeBytes: number }
  /** The originals in their order. */
  files: readonly { sha256: string; size: number; type: keyof typeof MEDIA_TYPES }[]
  approvedAt: number
  expireTime: number | null
  username: string
  title: string
  reviewer: string
  organisation: string
  description: string
  digest: string
}

export function toProofFields(facts: ApprovalFacts): ProofFields {
  const revision0: ApprovedDocument = {
    sha256: facts.revision0.sha256,
    size: facts.revision0.sizeBytes,
    type: 'application/pdf',
  }
  const originals = facts.files.map(({ sha256, size, type }) => ({ sha256, size, type: MEDIA_TYPES[type] }))
  return {
    pid: facts.proofid,
    doc: [revision0, ...originals],
    iat: formatSeconds(facts.approvedAt),
    exp: facts.expireTime === null ? null : formatSeconds(facts.expireTime),
    sub: facts.username,
    col: facts.title,
    by: facts.reviewer,
    org: facts.organisation,
    note: facts.description,
    dig: facts.digest,
  }
}

/**
 * What the public log says of an approval: when, until which day, and a commitment to all the rest.
 * @param seed Hex.
 * @returns what opens the commitment, one disclosure a field, beside it.
 */
export function stateApproval(
  seed: string,
  fields: ProofFields,
): { statement: ApproveStatement; disclosures: string[] } {
  const { commitment, disclosures } = commit(fromHex(seed), fields)
  const time = Date.parse(fields.iat) / 1000
  const expiryDay = fields.exp === null ? {} : { expiryDay: computeExpiryDay(Date.parse(fields.exp) / 1000) }
  return { statement: { kind: 'approve', commitment, time, ...expiryDay }, disclosures }
}

/** RFC 3339 in whole seconds; the rest of the last one is left out. */
const formatSeconds = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 'YYYY-MM-DDTHH:mm:ss'.length)}Z`
