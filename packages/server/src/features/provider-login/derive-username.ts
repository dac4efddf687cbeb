import { randomInt } from 'node:crypto'
import { Username } from '@proofdesk/contract/fields'

/** Leaves room for the number. */
const BASE_MAX_LENGTH = 100
const FALLBACK = 'user'

/**
 * A username for somebody whom a provider sent: what stands before the @ and a +, without characters that names may not
 * have. Names are public, so nothing else of the address goes in.
 * @param tries 0 for the plain one; after that a number at random is added, longer each time.
 */
export function deriveUsername(email: string, tries: number): string {
  const local = /^[^@+]*/.exec(email)?.[0] ?? ''
  const base = [...local.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')].slice(0, BASE_MAX_LENGTH).join('')
  const plain = Username.safeParse(base).data ?? FALLBACK
  return tries === 0 ? plain : `${plain}-${randomInt(10 ** Math.min(tries + 1, 9))}`
}
