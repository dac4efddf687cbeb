import { EXPIRY_CHOICES, type ExpiryChoice } from '../../ui/expiry-fields.tsx'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** What this person chose last in this browser. In a cookie, since signing out clears local storage. */
export function readExpiryChoice(userId: number): ExpiryChoice | undefined {
  const prefix = `${nameFor(userId)}=`
  const value = document.cookie
    .split('; ')
    .find((cookie) => cookie.startsWith(prefix))
    ?.slice(prefix.length)
  return EXPIRY_CHOICES.find((choice) => choice === value)
}

/** @param choice Undefined forgets it: a date of one's own says nothing about the next one. */
export function keepExpiryChoice(userId: number, choice: ExpiryChoice | undefined): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  const age = choice === undefined ? 0 : YEAR_SECONDS
  document.cookie = `${nameFor(userId)}=${choice ?? ''}; path=/; max-age=${age}; samesite=strict${secure}`
}

function nameFor(userId: number): string {
  return `expiry_choice_${userId}`
}
