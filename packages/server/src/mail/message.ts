import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../config/config.ts'
import type { Mail } from './mailer.ts'

/**
 * The mail in the library's terms. Addresses go in as objects, so that nothing in them is read as a list or a name, and
 * no text is ever taken for a file or an address to fetch.
 */
export function toMessage(mail: Mail, from: Config['mailFrom']): SendMailOptions {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: toOneLine(mail.subject),
    ...(mail.messageId !== undefined && { messageId: mail.messageId }),
    text: mail.text,
    html: mail.html,
    textEncoding: chooseEncoding(mail.text + mail.html),
    attachments: (mail.pictures ?? []).map(({ id, name, png }) => ({
      cid: id,
      filename: name,
      content: png,
      contentType: 'image/png',
      contentDisposition: 'inline',
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** The shorter one: quoted-printable (RFC 2045) takes three bytes for each that is not ASCII, base64 1.37 for every byte. */
function chooseEncoding(text: string): 'quoted-printable' | 'base64' {
  const bytes = Buffer.from(text)
  const foreign = bytes.reduce((count, byte) => count + (byte > 127 ? 1 : 0), 0)
  return foreign / bytes.length > 0.18 ? 'base64' : 'quoted-printable'
}

/** A line break in a header would begin another header. */
function toOneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()
}
