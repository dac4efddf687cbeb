import { setTimeout as pause } from 'node:timers/promises'
import { ReadFailure } from '../blobs/read-apart.ts'
import type { ClamdAddress } from '../config/clamd-address.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { openTurns } from '../secrets/turns.ts'
import type { ScannerVersion, ScanVerdict } from './answers.ts'
import { askClamdVersion, ScanCutOff, scanByClamd } from './ask-clamd.ts'

/** How long a file waits for its verdict, in turn, with every new attempt. Proxies in front often give up after a minute. */
const PATIENCE_MS = 55_000
/** Pauses before new attempts; the last one again and again. */
const PAUSES_MS = [500, 1000, 2000, 5000]
/** A scanner that was away for so long will not be back in a second. */
const RETRY_AFTER_SECONDS = 30
/** Files that one process has clamd look at at once; it has ten threads where nothing else is set (`MaxThreads`). */
const AT_ONCE = 4
const MAX_WAITING = 100
const VERSION_MS = 3000

/** Has files looked at by a virus scanner. */
export interface Scanner {
  /**
   * Waits while the scanner is away, slow or talks nonsense. A file without a verdict has none: nothing passes unseen.
   * @param askedBy Whose file it is; people take turns.
   * @param signal Ends the waiting.
   * @throws AppError `scanner_unavailable` when it has waited long enough, `busy` when too many wait, `storage_unavailable`
   * when the file cannot be read
   */
  scan(path: string, askedBy: string, signal: AbortSignal): Promise<ScanVerdict>
  /** @throws what went wrong */
  askVersion(): Promise<ScannerVersion>
}

/** @param patienceMs As `PATIENCE_MS`; tests of what waits in vain shorten it. */
export function openScanner(address: ClamdAddress, logger: Logger, patienceMs = PATIENCE_MS): Scanner {
  const turns = openTurns(MAX_WAITING)
  let running = 0
  const endTurn = () => {
    // The one who ends hands its place over, so `running` stays as it is.
    if (!turns.next()) running -= 1
  }

  async function takeTurn(askedBy: string, signal: AbortSignal): Promise<void> {
    if (running < AT_ONCE) {
      running += 1
      return
    }
    const turn = turns.wait(askedBy)
    try {
      await orAborted(turn, signal)
    } catch (error) {
      // It may still come: then it goes on to the next.
      turn.then(endTurn, () => {})
      throw error
    }
  }

  async function attempt(path: string, askedBy: string, signal: AbortSignal): Promise<ScanVerdict> {
    await takeTurn(askedBy, signal)
    try {
      return await scanByClamd(address, path, signal)
    } finally {
      endTurn()
    }
  }

  return {
    async scan(path, askedBy, signal) {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      for (let failures = 0; ; failures += 1) {
        try {
          return await attempt(path, askedBy, ended)
        } catch (cause) {
          if (cause instanceof AppError) throw cause
          // It is ours, and trying again would not mend it.
          if (cause instanceof ReadFailure) throw new AppError('storage_unavailable', { cause })
          // That nobody waits any more says nothing of the scanner.
          if (failures === 0 && !signal.aborted) logger.fail('the virus scanner gave no verdict', cause)
          // What was lost with the connection is said again.
          const waited = cause instanceof ScanCutOff && failures < PAUSES_MS.length ? 0 : PAUSES_MS[failures]
          await pause(waited ?? PAUSES_MS.at(-1), undefined, { signal: ended }).catch(() => {})
          if (ended.aborted)
            throw new AppError('scanner_unavailable', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS })
        }
      }
    },
    askVersion: () => askClamdVersion(address, AbortSignal.timeout(VERSION_MS)),
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
