import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'

/** A real SMTP server that keeps what arrives. */
export interface Mailbox {
  /** For SMTP_URL. */
  url: string
  /** The newest mail to an address whose subject or text matches; waits for it. */
  waitFor(address: string, pattern: RegExp): Promise<Email>
  /** A mail of its as it arrived. */
  rawOf(mail: Email): Buffer
  close(): Promise<void>
}

/** Mails to such addresses are put off, for as long as somebody tries. */
export const BUSY = '@busy.test'

const PATIENCE_MS = 20_000

export async function openMailbox(): Promise<Mailbox> {
  const mails = new Map<Email, Buffer>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const isBusy = address.endsWith(BUSY)
      done(isBusy ? Object.assign(new Error('4.2.1 This mailbox is busy'), { responseCode: 450 }) : null)
    },
    onData(stream, _session, done) {
      const arrived = keepMail(stream, mails)
      // oxlint-disable-next-line promise/no-callback-in-promise, promise/always-return -- the library wants a callback
      arrived.then(() => done(), done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    async waitFor(address, pattern) {
      const end = Date.now() + PATIENCE_MS
      for (;;) {
        const found = [...mails.keys()].findLast(
          (mail) =>
            mail.to?.some((to) => to.address === address) && pattern.test(`${mail.subject ?? ''}\n${mail.text ?? ''}`),
        )
        if (found) return found
        if (Date.now() > end) throw new Error(`no mail to ${address} that matches ${pattern} in ${PATIENCE_MS} ms`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
    rawOf: (mail) => mails.get(mail) ?? Buffer.alloc(0),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function keepMail(stream: Readable, mails: Map<Email, Buffer>): Promise<void> {
  const raw = await buffer(stream)
  mails.set(await PostalMime.parse(raw), raw)
}

/** The first link in a mail's text that leads to the given path. */
export function findLink(mail: Email, path: RegExp): string {
  const link = (mail.text ?? '').match(/https?:\/\/\S+/g)?.find((url) => path.test(url))
  if (!link) throw new Error(`no link to ${path} in the mail '${mail.subject ?? ''}'`)
  return link
}
