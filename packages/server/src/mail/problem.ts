import type { MailProblem } from '@proofdesk/contract/mail-delivery'
import { maskPrivate, nameFailure } from '../logger.ts'

/** Codes of the mail library, of the system's resolver and of its sockets and files. */
const PROBLEMS: Record<string, MailProblem> = {
  ESOCKET: 'unreachable',
  ECONNECTION: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EDNS: 'name_unknown',
  ENOTFOUND: 'name_unknown',
  ETIMEDOUT: 'timed_out',
  ETLS: 'not_encrypted',
  EREQUIRETLS: 'not_encrypted',
  EAUTH: 'sign_in_refused',
  ENOAUTH: 'sign_in_refused',
  EENVELOPE: 'address_refused',
  EMESSAGE: 'message_refused',
  EPROTOCOL: 'not_understood',
  ENOSPC: 'folder_failed',
  EACCES: 'folder_failed',
  EPERM: 'folder_failed',
  EROFS: 'folder_failed',
  ENOENT: 'folder_failed',
  EDQUOT: 'folder_failed',
}

const WORDS_MAX_LENGTH = 200

/** @param code What `nameFailure` made of an error. */
export function nameProblem(code: string): MailProblem {
  return PROBLEMS[code] ?? 'other'
}

/** What people may read of a mail that failed. */
export function describeFailure(error: unknown): { problem: MailProblem; words: string | null } {
  const { words } = error as { words?: unknown }
  return { problem: nameProblem(nameFailure(error)), words: typeof words === 'string' ? words : null }
}

/**
 * What the mail server answered, as one short line without addresses or tokens. Its words come from outside, like
 * everything else on that line.
 */
export function quoteServer(error: unknown): string | null {
  const { response } = error as { response?: unknown }
  if (typeof response !== 'string') return null
  const line = maskPrivate(response.toWellFormed())
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\s]+/g, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, WORDS_MAX_LENGTH).join('')
}

/** Enough of an address to recognise it: `v…@example.org`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '…' : `${[...address][0] ?? ''}…${address.slice(at)}`
}
