import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findProgram } from '@proofdesk/server/testing/find-program'
import { findFreePort } from '@proofdesk/server/testing/free-ports'
import { openMailbox, type Mailbox } from './mailbox.ts'

/** Only ends what hangs: a slow machine is not a fault. */
const START_PATIENCE_MS = 120_000
const MOST_ATTEMPTS = 5

/** The product as an operator runs it: a process of its own, an empty data folder, real mail. */
export interface RunningServer {
  url: string
  dataDir: string
  mailbox: Mailbox
  /** The link printed on an empty database. */
  setupLink: string
  createUser(user: { username: string; email?: string; role?: string; isVerified?: boolean }): Promise<void>
  stop(): Promise<void>
}

/** Fit for every account of the tests. */
export const PASSWORD = 'Str0ng!pass'

export async function startServer(settings: NodeJS.ProcessEnv = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-e2e-'))
  const mailbox = await openMailbox()
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnFreePort(dataDir, mailbox, settings)
    } catch (error) {
      // Between its being found and taken, a port may go to the server of another test.
      if (attempt === MOST_ATTEMPTS || !(error instanceof Error && error.message.includes('is taken'))) throw error
    }
  }
}

async function startOnFreePort(dataDir: string, mailbox: Mailbox, settings: NodeJS.ProcessEnv): Promise<RunningServer> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'desk@proofdesk.test',
    ORGANISATION: 'City Registry',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const server = spawn(process.execPath, [findProgram('start/main.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  server.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  server.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const end = Date.now() + START_PATIENCE_MS
  while (!/ready at/i.test(printed)) {
    if (server.exitCode !== null || Date.now() > end) throw new Error(`the server did not start:\n${printed}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  let shell: AdminShell | undefined
  return {
    url,
    dataDir,
    mailbox,
    get setupLink() {
      const link = /https?:\/\/\S+\/setup\/\S+/.exec(printed)?.[0]
      if (!link) throw new Error(`no setup link was printed:\n${printed}`)
      return link
    },
    async createUser({ username, email = `${username}@example.test`, role = 'user', isVerified = true }) {
      const words = ['--username', username, '--email', email, '--password', PASSWORD, '--role', role]
      shell ??= openAdminShell(env)
      await shell.run(['create-user', ...words, ...(isVerified ? ['--verified'] : [])])
    },
    async stop() {
      await shell?.close()
      if (server.exitCode === null) {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      await mailbox.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The admin command beside a running server, whose program is started once for all that is asked of it. */
interface AdminShell {
  /** @throws Error with what it says when it does not do it */
  run(words: readonly string[]): Promise<void>
  close(): Promise<void>
}

function openAdminShell(env: NodeJS.ProcessEnv): AdminShell {
  const child = spawn(process.execPath, [findProgram('testing/admin-shell.ts')], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
  // One is asked after the other, so each answer is that of the words before it.
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (words: readonly string[]): Promise<void> => {
    child.stdin.write(`${JSON.stringify(words)}\n`)
    const { value, done } = await answers.next()
    if (done) throw new Error('the admin command ended by itself')
    const { exitCode, complaints } = JSON.parse(value) as { exitCode: number; complaints: string[] }
    if (exitCode !== 0) throw new Error(`${words[0] ?? ''} failed: ${complaints.join('\n')}`)
  }
  return {
    run: (words) => {
      const answered = last.then(() => ask(words))
      last = answered.catch(() => undefined)
      return answered
    },
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}
