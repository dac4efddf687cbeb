import { ProofError } from '@proofdesk/proof/errors'
import { parseInstancePolicy, type InstancePolicy } from '@proofdesk/proof/instance-policy'
import { hasPdfHeader, PDF_HEADER_WITHIN } from '@proofdesk/proof/pdf-header'
import { findReceipt } from '@proofdesk/proof/receipt-file'
import type { NamedFile } from '../judge-document.ts'
import { WORDS } from '../words.ts'

/** A policy that was handed in, by the name of its file. */
export interface GivenPolicy {
  name: string
  policy: InstancePolicy
}

/** Files that were handed in together, told apart by what is in them. */
export interface SortedFiles {
  /** What is to be judged, signed receipts among them. */
  documents: NamedFile[]
  policies: GivenPolicy[]
  /** Why one is neither, for people; of the last, where there are several. */
  fault: string | undefined
}

/** Nothing is relied on by this: a file that is called a document may be a policy. */
export function sortGiven(files: readonly NamedFile[]): SortedFiles {
  const sorted: SortedFiles = { documents: [], policies: [], fault: undefined }
  for (const file of files) {
    if (!isOtherJson(file)) sorted.documents.push(file)
    else {
      const policy = readPolicy(file.bytes)
      if (typeof policy === 'object') sorted.policies.push({ name: file.name, policy })
      else sorted.fault = policy === 'newer' ? WORDS.policyNewer : WORDS.jsonUnknown
    }
  }
  return sorted
}

/** Policies are JSON, and so are receipts as the API gives them, which are judged; no certified PDF begins like that. */
function isOtherJson({ bytes }: NamedFile): boolean {
  if (bytes[0] !== 0x7b || findReceipt(bytes) !== undefined) return false
  return !hasPdfHeader(bytes.subarray(0, PDF_HEADER_WITHIN))
}

/** @returns why it is none that can be read: it is `newer`, or `broken` */
export function readPolicy(bytes: NamedFile['bytes']): InstancePolicy | 'newer' | 'broken' {
  try {
    return parseInstancePolicy(bytes)
  } catch (error) {
    return error instanceof ProofError && error.code === 'newer' ? 'newer' : 'broken'
  }
}
