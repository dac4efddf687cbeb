import type { DocumentVerdict, Remark, Step, StepName } from '@proofdesk/proof/document-verdict'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import type { ProofFields } from '@proofdesk/proof/log/commitment'
import { hashFile } from '@proofdesk/proof/hash-file'
import { verifyDocument, type StatusSource } from '@proofdesk/proof/verify-document'

type Bytes = Uint8Array<ArrayBuffer>

/** A file as it was read. */
export interface NamedFile {
  name: string
  bytes: Bytes
}

/** By what, and for when, it is judged. */
export interface JudgingTerms {
  policy: InstancePolicy
  /** Milliseconds since 1970 UTC at which it is to count. */
  at: number
  /** Whether somebody asks about that time; unless so it is the clock's. */
  isAsked?: boolean
  /** The page of revocations that speaks of it, or where to get it. */
  statusPage?: string | StatusSource | undefined
}

/** All that was found out about one file; plain data, the same for the page, the command and receipts. */
export interface Judgement {
  file: { name: string; size: number; sha256: string }
  /** Milliseconds since 1970 UTC. */
  at: number
  verdict: DocumentVerdict
  remarks: Remark[]
  steps: Step[]
  fields: Partial<ProofFields> | null
  policy: { fingerprint: string; organisation: string }
  /** The tree that the log signed for it; null where that was not shown. */
  head: { origin: string; size: number; root: string } | null
}

/** Judges a file from its bytes. Whatever the bytes are, it answers. */
export async function judgeDocument(file: NamedFile, terms: JudgingTerms): Promise<Judgement> {
  const { policy, at, isAsked = false, statusPage } = terms
  const { name, bytes } = file
  const sha256 = await hashFile(bytes)
  const question = { policy, now: at, isAsked, ...(statusPage !== undefined && { statusPage }) }
  const { verdict, remarks, steps, fields } = await verifyDocument(bytes, question)
  const { fingerprint, organisation } = policy
  return {
    file: { name, size: bytes.length, sha256 },
    at,
    verdict,
    remarks,
    steps,
    fields,
    policy: { fingerprint, organisation },
    head: readHead(findStep(steps, 'checkpoint')),
  }
}

export function findStep(steps: readonly Step[], wanted: StepName): Step | undefined {
  return steps.find(({ name }) => name === wanted)
}

function readHead(step: Step | undefined): Judgement['head'] {
  if (step?.state !== 'passed') return null
  const { origin, size, root } = step.details as { origin: string; size: number; root: string }
  return { origin, size, root }
}

/** The steps that were taken, and of those that a failure left out the first, which stands for all. */
export function listReached(steps: readonly Step[]): Step[] {
  const first = steps.findIndex(({ code }) => code === 'not_reached')
  return steps.filter(({ code }, at) => code !== 'not_reached' || at === first)
}
