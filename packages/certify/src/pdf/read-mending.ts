import { Refusal } from '../errors.ts'
import { measureLead } from './measure-lead.ts'
import { type WatchedBytes, watchSyntax } from './mend-syntax.ts'

/** Each attempt meets strays that the one before had not come to; more than a few mean a file that is none. */
const MOST_ATTEMPTS = 6

/**
 * Reads a PDF whose syntax is mended where it lies, and again from the start where that was done meanwhile.
 * @param bytes Are changed where their syntax is mended.
 * @param read Gets the bytes from the header on, and how many stand before it.
 * @throws Refusal `unreadable`, and what `read` throws of a file in which nothing was mended.
 */
export async function readMending<T>(
  bytes: Uint8Array,
  read: (watched: WatchedBytes, lead: number) => Promise<T>,
): Promise<T> {
  const lead = measureLead(bytes) ?? 0
  const watched = watchSyntax(bytes.subarray(lead))
  for (let attempt = 1; ; attempt++) {
    const strays = watched.strays
    const outcome = await read(watched, lead).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const isMended = watched.strays !== strays
    if ('value' in outcome && !isMended && !watched.isHopeless) return outcome.value
    if (watched.isHopeless || attempt === MOST_ATTEMPTS)
      throw new Refusal('unreadable', 'too much that is no PDF syntax')
    if ('error' in outcome && !isMended) throw outcome.error
  }
}
