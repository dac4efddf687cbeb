import type { Deps } from '../../deps.ts'
import { maskAddress } from '../../mail/problem.ts'
import { findUserInfo } from '../users/queries.ts'

/**
 * Whom a waiting mail is for: a username, or a visitor's address with most of it hidden; null when they are gone.
 * @param payload Of the work of this kind.
 */
export async function nameRecipient(
  { reads, mailRecipients }: Pick<Deps, 'reads' | 'mailRecipients'>,
  kind: string,
  payload: unknown,
): Promise<string | null> {
  const recipient = await mailRecipients.get(kind)?.(reads, payload)
  if (!recipient) return null
  if ('address' in recipient) return maskAddress(recipient.address)
  return (await findUserInfo(reads, recipient.userId))?.username ?? null
}
