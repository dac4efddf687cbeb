import { keepCookie, readCookie } from '../../lib/cookies.ts'
import { EXPIRY_CHOICES, type ExpiryChoice } from '../../ui/expiry-fields.tsx'

/** What this person chose last in this browser. In a cookie, since signing out clears local storage. */
export function readExpiryChoice(userId: number): ExpiryChoice | undefined {
  const value = readCookie(`expiry_choice_${userId}`)
  return EXPIRY_CHOICES.find((choice) => choice === value)
}

/** @param choice Undefined forgets it: a date of one's own says nothing about the next one. */
export function keepExpiryChoice(userId: number, choice: ExpiryChoice | undefined): void {
  keepCookie(`expiry_choice_${userId}`, choice)
}
