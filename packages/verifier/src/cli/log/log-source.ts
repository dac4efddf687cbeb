import { ANSWER_MAX_BYTES, readAnswer } from '@proofdesk/proof/read-answer'
import { formatEntriesPath, MAX_ENTRY_BYTES } from '@proofdesk/proof/log/tiles'
import type { Bytes } from '@proofdesk/proof/bytes'
import { readUtf8 } from '@proofdesk/proof/utf8'
import { setTimeout as sleep } from 'node:timers/promises'
import { sayFailure } from '../say-failure.ts'

/** A log as it answers. Whatever comes is hostile. */
export interface LogSource {
  /** The newest signed head. */
  readHead(): Promise<string>
  /** @returns undefined where there is none. */
  readPage(page: number): Promise<string | undefined>
  /** The entries from `index` × 256 on, `width` of them: 1 to 256. */
  readBundle(index: number, width: number): Promise<Bytes>
}

/** The log did not answer, or not with what was asked for; says nothing for or against it. `message` is for people. */
export class UnreadLog extends Error {
  override readonly name = 'UnreadLog'
}

/** How long an answer may take, in milliseconds, and how often it is asked for. */
export interface LogPatience {
  waitMs: number
  pauseMs: number
  attempts: number
  /** How long the reading may take, and how much longer for each answer: a head can claim any number of them. */
  wholeMs: number
  eachMs: number
}

export const PATIENCE: LogPatience = { waitMs: 30_000, pauseMs: 1000, attempts: 3, wholeMs: 600_000, eachMs: 500 }

/** A head has a line for each witness. */
const MAX_HEAD_BYTES = 100_000
/** Each entry has two bytes before it. c2sp.org/tlog-tiles, "Log entries". */
const MAX_BUNDLE_BYTES = 256 * (MAX_ENTRY_BYTES + 2)

/**
 * Asks a log by its address. Redirects are not followed.
 * @param address Without a slash at its end.
 * @param signal Ends what is still being asked.
 */
export function askLog(address: string, signal: AbortSignal, patience: LogPatience = PATIENCE): LogSource {
  const begun = performance.now()
  let answers = 0

  /** @throws UnreadLog where they come so slowly that it would not end. */
  function mustGoOn(): void {
    const took = performance.now() - begun
    if (took <= patience.wholeMs + answers * patience.eachMs) return
    throw new UnreadLog(
      `${address}: it gave ${answers} answers in ${Math.round(took / 1000)} seconds, which is too slow`,
    )
  }

  async function ask(path: string, most: number): Promise<Bytes | undefined> {
    mustGoOn()
    const bytes = await askUntil(path, most)
    answers += 1
    return bytes
  }

  async function askUntil(path: string, most: number): Promise<Bytes | undefined> {
    const url = `${address}/${path}`
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce(url, most)
      } catch (error) {
        if (attempt === patience.attempts || signal.aborted || error instanceof WrongAnswer) {
          throw new UnreadLog(`${url}: ${sayFailure(error)}`, { cause: error })
        }
        await sleep(patience.pauseMs * attempt)
      }
    }
  }

  async function askOnce(url: string, most: number): Promise<Bytes | undefined> {
    // It ends the reading of the body, too.
    const ends = AbortSignal.any([signal, AbortSignal.timeout(patience.waitMs)])
    const answer = await fetch(url, { redirect: 'error', signal: ends })
    if (answer.status === 200) {
      const bytes = await readAnswer(answer, most)
      return bytes ?? Promise.reject(new WrongAnswer(`the answer is longer than ${most} bytes`))
    }
    await answer.body?.cancel()
    if (answer.status === 204 || answer.status === 404) return undefined
    throw new Error(`answers ${answer.status}`)
  }

  async function must(path: string, most: number): Promise<Bytes> {
    return (await ask(path, most)) ?? Promise.reject(new UnreadLog(`${address}/${path}: there is none`))
  }

  /** To the byte: what is put in the place of others, or left out, nobody signed. */
  function decode(path: string, bytes: Bytes): string {
    const text = readUtf8(bytes)
    if (text === undefined) throw new UnreadLog(`${address}/${path}: the answer is no text`)
    return text
  }

  return {
    readHead: async () => decode('checkpoint', await must('checkpoint', MAX_HEAD_BYTES)),
    async readPage(page) {
      const path = `status/${page}`
      const bytes = await ask(path, ANSWER_MAX_BYTES)
      return bytes && decode(path, bytes)
    },
    readBundle: (index, width) => must(formatEntriesPath(index, width), MAX_BUNDLE_BYTES),
  }
}

/** Asking again would bring the same. */
class WrongAnswer extends Error {}
