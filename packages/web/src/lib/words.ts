import { m } from '../paraglide/messages.js'

type WithoutValues = () => string

const messages = m as unknown as Record<string, WithoutValues | undefined>

/** These need values that only the server's wording carries. */
const WITH_VALUES = new Set(['file_too_large', 'file_too_many_pages'])

/** Our own words for an error code, unless they need values we do not have. */
export function sayCode(code: string): string | undefined {
  return WITH_VALUES.has(code) ? undefined : messages[code]?.()
}

/** Words of a validation message: a key for our own rules, already text for the library's. */
export function sayIssue(message: string | undefined): string | undefined {
  return message === undefined ? undefined : (messages[message]?.() ?? message)
}
