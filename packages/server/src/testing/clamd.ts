import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { askClamdVersion } from '../antivirus/ask-clamd.ts'
import type { ClamdAddress } from '../config/clamd-address.ts'
import { findFreePort } from './free-ports.ts'
import { waitUntil } from './wait-until.ts'

/** The string that every scanner finds and that harms nothing (eicar.org); in halves, so that none finds it in here. */
export const EICAR = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''))
/** What clamd calls it by a signature that it was given as a file. */
export const EICAR_SIGNATURE = 'Eicar-Test-Signature.UNOFFICIAL'

/** A real clamd, with one signature, that of `EICAR`. */
export interface TestClamd {
  /** At a port of the loopback address. */
  address: ClamdAddress
  socket: ClamdAddress
  /** Makes it stand still: it takes connections and says nothing. */
  pause(): void
  resume(): void
  /** Ends it, as an operator or a crash does. */
  halt(): Promise<void>
  /** Starts it again at the same port. */
  start(): Promise<void>
}

/** What `node:test` and other runners give a test. */
interface TestContext {
  after(end: () => Promise<void>): unknown
  skip(reason: string): void
}

/**
 * Ends with the test.
 * @param settings Lines of `clamd.conf`.
 * @returns undefined, and the test is skipped, where clamd is not installed; where CI is set that is a failure.
 */
export async function startClamd(t: TestContext, ...settings: string[]): Promise<TestClamd | undefined> {
  const program = findClamd()
  if (program === undefined) {
    const reason = 'clamd (Debian package clamav-daemon) is not installed'
    if (process.env['CI'] === 'true') throw new Error(reason)
    t.skip(reason)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-clamd-'))
  const [signatures, config, socketPath] = [join(folder, 'db'), join(folder, 'clamd.conf'), join(folder, 'socket')]
  const port = await findFreePort()
  const address = { host: '127.0.0.1', port }
  await mkdir(signatures)
  await writeFile(join(signatures, 'eicar.ndb'), `Eicar-Test-Signature:0:*:${EICAR.toString('hex')}\n`)
  const lines = [
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    `LocalSocket ${socketPath}`,
    `DatabaseDirectory ${signatures}`,
    `TemporaryDirectory ${folder}`,
    'Foreground yes',
    'SelfCheck 0',
    'AlertExceedsMax yes',
    ...settings,
  ]
  await writeFile(config, `${lines.join('\n')}\n`)

  let clamd: ChildProcess
  let ended: Promise<unknown>
  const start = async () => {
    clamd = spawn(program, ['-c', config], { stdio: 'ignore', env: { ...process.env, LD_PRELOAD: undefined } })
    ended = once(clamd, 'exit')
    const started = clamd
    // A process that ends in the middle of a test takes it along.
    process.once('exit', () => started.kill('SIGKILL'))
    await waitUntil(() => {
      if (clamd.exitCode !== null) throw new Error('clamd ended instead of starting')
      return askClamdVersion(address, AbortSignal.timeout(1000)).catch(() => undefined)
    })
  }
  const halt = async () => {
    // SIGKILL ends one that stands still, too.
    clamd.kill('SIGKILL')
    await ended
  }
  await start()
  t.after(async () => {
    await halt()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    address,
    socket: { path: socketPath },
    pause: () => void clamd.kill('SIGSTOP'),
    resume: () => void clamd.kill('SIGCONT'),
    halt,
    start,
  }
}

/** Debian keeps it where only root's path leads. */
function findClamd(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, 'clamd')).find((path) => existsSync(path))
}
