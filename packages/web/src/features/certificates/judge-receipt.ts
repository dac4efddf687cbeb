import { ProofError, type ProofErrorCode } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { openReceipt, type Receipt } from '@proofdesk/proof/receipt'
import { readPolicy } from './check-document.ts'

/** Far more than the longest takes, in bytes. */
const MOST_BYTES = 16_384
const BEGINNING = /^Proofdesk receipt v\d/

/** What became of a signed receipt that was judged on this device. */
export interface JudgedReceipt {
  /** Why it does not hold, or was not judged; else what it says. */
  outcome: Receipt | ProofErrorCode
  policy: InstancePolicy
}

/**
 * Judges a file that says of itself to be a signed receipt.
 * @returns undefined where it says no such thing.
 * @throws NetworkError when the server does not say whose keys to check by, or what reading the file throws.
 */
export async function judgeReceipt(file: File): Promise<JudgedReceipt | undefined> {
  if (file.size > MOST_BYTES) return undefined
  const note = takeReceipt(await file.text())
  if (!BEGINNING.test(note)) return undefined
  const policy = await readPolicy()
  try {
    // Editors add or take away what ends the last line.
    return { policy, outcome: await openReceipt(`${note.trimEnd()}\n`, policy) }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { policy, outcome: error.code }
  }
}

/** The receipt itself, also of an answer of the API that was saved as it came. */
function takeReceipt(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const { receipt } = JSON.parse(text) as { receipt?: unknown }
    return typeof receipt === 'string' ? receipt : text
  } catch {
    return text
  }
}
