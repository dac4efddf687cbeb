import PostalMime from 'postal-mime'
import { quoteServer } from './problem.ts'

/** Reports hold at most the mail they are about, and a few kilobytes of their own. */
export const REPORT_MAX_BYTES = 1024 * 1024

/** What a mail server says about one of our mails. */
export interface DeliveryReport {
  /** That of the mail it is about, with its brackets. */
  messageId: string
  /** Given up, and not merely late. */
  hasFailed: boolean
  /** The server's words, as `quoteServer` leaves them. */
  words: string | null
}

/**
 * Reads a delivery status notification (RFC 3464, inside a multipart/report of RFC 6522). Everything in it comes from outside.
 * @returns undefined for any other mail, such as an answer of a person or of somebody who is away
 */
export async function readReport(raw: Uint8Array): Promise<DeliveryReport | undefined> {
  const mail = await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 8 }).catch(() => undefined)
  const findPart = (...types: string[]) => {
    const found = mail?.attachments.find(({ mimeType }) => types.includes(mimeType.toLowerCase()))
    return found && toText(found.content)
  }
  const status = findPart('message/delivery-status', 'message/global-delivery-status')
  const original = findPart(
    'message/rfc822',
    'text/rfc822-headers',
    'message/rfc822-headers',
    'message/global',
    'message/global-headers',
  )
  if (status === undefined || original === undefined) return undefined
  // Ours go to one person each, so one group of fields about a recipient follows those about the mail.
  const messageId = findField(original.split(/\r?\n\r?\n/)[0] ?? '', 'message-id')
  const action = findField(status, 'action')?.toLowerCase()
  if (messageId === undefined || action === undefined) return undefined
  const said = findField(status, 'diagnostic-code')?.replace(/^\s*[\w-]+\s*;\s*/, '')
  return {
    messageId,
    hasFailed: action === 'failed',
    words: quoteServer({ response: said ?? findField(status, 'status') }),
  }
}

function toText(content: ArrayBuffer | Uint8Array | string): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}

/** The first field of this name, unfolded (RFC 5322 section 2.2.3). */
function findField(fields: string, name: string): string | undefined {
  const unfolded = fields.replace(/\r?\n[ \t]+/g, ' ')
  return new RegExp(`^${name}[ \\t]*:(.*)$`, 'im').exec(unfolded)?.[1]?.trim()
}
