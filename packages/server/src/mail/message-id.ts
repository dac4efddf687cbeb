import { z } from 'zod'
import type { SecretBox } from '../secrets/secret-box.ts'
import { hashToken } from '../secrets/tokens.ts'
import { toEmailKey } from '../text/email-key.ts'
import type { MailWork } from './cause.ts'

const PURPOSE = 'message id'
/** Enough to tell an address from the others of an account. */
const ADDRESS_MARK_LENGTH = 12
/** Mail servers give up after about five days (RFC 5321 section 4.5.4.1); their reports may wait as long. */
const READ_FOR_MS = 21 * 24 * 3600 * 1000

const Sealed = z.tuple([z.string(), z.unknown(), z.string(), z.int()])

/** What a report about a mail needs to name: which work, and when it was sent. */
export interface SentMail extends MailWork {
  /** Whether it went to this address. */
  wentTo: (address: string) => boolean
  /** SHA-256 (hex) of what its name says. The name itself can be written in several ways. */
  hash: string
  /** Reports about it are read until then. */
  readUntil: number
}

/**
 * A Message-ID (RFC 5322 section 3.6.4) that says, to us alone, what the mail was sent for: nothing has to be kept for it, and
 * nobody who was not sent the mail can say that it came back.
 * @param host Right of the at sign: that of the sender's address.
 */
export function makeMessageId(
  secrets: SecretBox,
  { kind, payload }: MailWork,
  { to, at, host }: { to: string; at: number; host: string },
): string {
  const sealed = secrets.seal(JSON.stringify([kind, payload, markAddress(secrets, to), at]), PURPOSE)
  return `<${sealed}@${host}>`
}

/** @returns undefined for one that is not of ours, or is too old to be reported about */
export function readMessageId(secrets: SecretBox, messageId: string, now: number): SentMail | undefined {
  const { sealed } = /^<(?<sealed>[\w-]{40,600})@[^\s<>@]+>$/.exec(messageId)?.groups ?? {}
  if (sealed === undefined) return undefined
  try {
    const opened = secrets.open(sealed, PURPOSE)
    const [kind, payload, mark, at] = Sealed.parse(JSON.parse(opened))
    const readUntil = at + READ_FOR_MS
    if (now > readUntil) return undefined
    const wentTo = (address: string) => markAddress(secrets, address) === mark
    return { kind, payload, wentTo, hash: hashToken(opened), readUntil }
  } catch {
    return undefined
  }
}

function markAddress(secrets: SecretBox, address: string): string {
  return secrets.mac(toEmailKey(address), 'address of a mail').slice(0, ADDRESS_MARK_LENGTH)
}
