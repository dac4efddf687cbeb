import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { HopelessWork } from '../outbox/outbox.ts'
import { toMessage } from './message.ts'
import type { Mailer } from './mailer.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000

/** Sends through a mail server, `smtp://user:password@host:port` or `smtps://…`. */
export function openSmtp(url: string, from: Config['mailFrom']): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
  })
  return {
    send: async (mail) => {
      try {
        await transport.sendMail(toMessage(mail, from))
      } catch (error) {
        if (isRefusedForGood(error)) throw new HopelessWork('the mail server refuses this address')
        throw error
      }
    },
    close: () => transport.close(),
  }
}

/** A 5yz reply to the envelope (RFC 5321 section 4.2.1). Its words may hold the address and are not kept. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown }
  return code === 'EENVELOPE' && command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500
}
