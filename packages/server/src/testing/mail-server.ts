import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** What a mail server refuses, with which reply. */
export interface Refusal {
  at: 'sign-in' | 'recipient' | 'message'
  code: number
  words: string
}

export interface TestMailServer {
  /** For SMTP_URL; with a password that nobody may ever be shown. */
  url: string
  received: { mail: Email; raw: Buffer; to: string[] }[]
  /** How often a password was sent to it. */
  signIns: number
  /** Undefined: takes everything. */
  refusal: Refusal | undefined
}

/** What `node:test` and other runners give a test to register its end with. */
interface TestContext {
  after(end: () => Promise<void>): unknown
}

/**
 * A real SMTP server, which may change its mind.
 * @param options `port`: a free one when absent; `host`: where it listens; `secure`: speaks TLS, with a certificate that
 *   nobody trusts; `offersTls`: offers to go over to it (STARTTLS).
 */
export async function startMailServer(
  t: TestContext,
  refusal?: Refusal,
  {
    port = 0,
    host = '127.0.0.1',
    secure = false,
    offersTls = false,
  }: { port?: number; host?: string; secure?: boolean; offersTls?: boolean } = {},
): Promise<TestMailServer> {
  const refuse = (at: Refusal['at']): Error | null => {
    const { refusal: now } = state
    return now?.at === at ? Object.assign(new Error(now.words), { responseCode: now.code }) : null
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    secure,
    onAuth: (auth, _session, done) => {
      state.signIns += 1
      done(refuse('sign-in'), { user: auth.username })
    },
    onRcptTo: (_address, _session, done) => done(refuse('recipient')),
    onData: (stream, session, done) => {
      const take = async () => {
        const raw = await buffer(stream)
        const refused = refuse('message')
        const to = session.envelope.rcptTo.map(({ address }) => address)
        if (!refused) state.received.push({ mail: await PostalMime.parse(raw), raw, to })
        return refused
      }
      // oxlint-disable-next-line promise/no-callback-in-promise, promise/always-return -- the library wants a callback
      void take().then((refused) => done(refused), done)
    },
  })
  // Clients that do not trust its certificate break off.
  server.on('error', () => {})
  server.listen(port, host)
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port: taken } = server.server.address() as AddressInfo
  const state: TestMailServer = {
    url: `${secure ? 'smtps' : 'smtp'}://user:s3cr3t-pass@${host}:${taken}`,
    received: [],
    signIns: 0,
    refusal,
  }
  return state
}

/** Takes connections and never says a word, as a mail server that hangs. */
export async function startSilentServer(t: TestContext): Promise<{ url: string; connections: () => number }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => sockets.size }
}
