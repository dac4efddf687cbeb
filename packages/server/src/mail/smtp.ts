import type { Transporter } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/is-loopback.ts'
import { HopelessWork } from '../outbox/outbox.ts'
import { inStep } from '../span.ts'
import { toMessage } from './message.ts'
import type { Mailer, Patience } from './mailer.ts'
import { quoteServer } from './problem.ts'

/** Milliseconds for connecting, for the greeting, of silence, and for everything together. */
const WAITS: Record<Patience, { connect: number; silence: number; whole: number }> = {
  usual: { connect: 10_000, silence: 30_000, whole: 120_000 },
  short: { connect: 5000, silence: 8000, whole: 10_000 },
}

/**
 * Sends through a mail server, `smtp://user:password@host:port` or `smtps://…`. Neither password nor mail goes to another
 * machine in clear: there TLS is demanded, before anything is said. `?tls=optional` takes what there is, `?tls=required`
 * demands it of this machine too. Where a key is set each mail is signed by it (DKIM).
 */
export function openSmtp(url: string, { mailFrom: from, dkim }: Pick<Config, 'mailFrom' | 'dkim'>): Mailer {
  const closing = Promise.withResolvers<never>()
  // Nobody may be waiting when it closes.
  closing.promise.catch(() => {})
  const { server, mustEncrypt } = readEncryption(url)
  const open = async (patience: Patience): Promise<Transporter> => {
    const { connect, silence } = WAITS[patience]
    // Loaded with the first mail: a start does not wait for it.
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url: server,
      requireTLS: mustEncrypt,
      connectionTimeout: connect,
      greetingTimeout: connect,
      dnsTimeout: connect,
      socketTimeout: silence,
      ...(dkim && { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
    })
  }
  const transports = new Map<Patience, Promise<Transporter>>()
  const take = (patience: Patience): Promise<Transporter> => {
    const transport = transports.get(patience) ?? open(patience)
    transports.set(patience, transport)
    return transport
  }
  return {
    route: { way: 'smtp', place: describePlace(url) },
    send: async (mail, patience = 'usual') => {
      const message = toMessage(mail, from)
      const sending = take(patience).then((transport) => transport.sendMail(message))
      try {
        await inStep('SMTP send', {}, () =>
          withDeadline(Promise.race([sending, closing.promise]), WAITS[patience].whole),
        )
      } catch (error) {
        if (isAboutEncryption(error)) Object.assign(error as Error, { code: 'ETLS' })
        const words = quoteServer(error)
        if (isRefusedForGood(error))
          throw Object.assign(new HopelessWork('the mail server refuses this address'), { code: 'EENVELOPE', words })
        throw Object.assign(error as Error, { words })
      }
    },
    close: () => {
      closing.reject(Object.assign(new Error('closing'), { code: 'EABORT' }))
      for (const transport of transports.values()) void transport.then((opened) => opened.close())
    },
  }
}

/** Ours is no parameter of the mail library. */
function readEncryption(text: string): { server: string; mustEncrypt: boolean } {
  const url = new URL(text)
  const tls = url.searchParams.get('tls')
  url.searchParams.delete('tls')
  return { server: url.href, mustEncrypt: tls === 'required' || (tls === null && !isLoopback(url.hostname)) }
}

/** A server that says a letter now and then is never silent, so the whole is bounded too. */
async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(Object.assign(new Error('the mail server takes too long'), { code: 'ETIMEDOUT' })),
    ms,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A 5yz reply to the envelope (RFC 5321 section 4.2.1). Its words may hold the address and are not kept as they are. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown }
  return code === 'EENVELOPE' && command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500
}

/** The library calls a certificate that does not hold a failure of the socket like any other. */
function isAboutEncryption(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ESOCKET' && typeof message === 'string' && /certificate|\b(?:TLS|SSL)\b/i.test(message)
}

/** Without user, password and parameters, which may hold secrets too. */
function describePlace(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
