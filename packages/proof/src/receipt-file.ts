import { ProofError, type ProofErrorCode } from './errors.ts'
import type { InstancePolicy } from './instance-policy.ts'
import { openReceipt, type Receipt } from './receipt.ts'

/** Far more than the longest receipt takes, in bytes. */
export const RECEIPT_FILE_MAX_BYTES = 16_384

const BEGINNING = /^Proofdesk receipt v\d/

/**
 * The signed note of a receipt that somebody kept in a file, also as an answer of the API that was saved as it came.
 * Editors add or take away what ends the last line.
 */
export function takeReceipt(text: string): string {
  return `${findNote(text).trimEnd()}\n`
}

function findNote(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const { receipt } = JSON.parse(text) as { receipt?: unknown }
    return typeof receipt === 'string' ? receipt : text
  } catch {
    return text
  }
}

/** @returns the note of a file that says of itself to be a signed receipt; undefined of any other */
export function findReceipt(bytes: Uint8Array): string | undefined {
  if (bytes.length > RECEIPT_FILE_MAX_BYTES) return undefined
  const note = takeReceipt(new TextDecoder().decode(bytes))
  return BEGINNING.test(note) ? note : undefined
}

/**
 * Judges the signed note of a receipt by the keys of a policy.
 * @returns what it says, or why it does not hold or was not judged: the codes of `openReceipt`
 */
export async function judgeReceipt(
  note: string,
  policy: Pick<InstancePolicy, 'log' | 'paperKeys'>,
): Promise<Receipt | ProofErrorCode> {
  try {
    return await openReceipt(note, policy)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return error.code
  }
}
