import { Refusal } from '../errors.ts'
import { type CopiedPages, copyPages } from './copy-pages.ts'
import { checkDecodingBudget } from '../pdf/guard-decoding.ts'
import { findLostContent } from '../pdf/find-lost-content.ts'
import { loadPdf } from '../pdf/load-pdf.ts'
import { measureLead } from '../pdf/measure-lead.ts'
import { watchSyntax } from '../pdf/mend-syntax.ts'
import type { ObjectStore } from '../pdf/object-store.ts'

/** Each attempt meets strays that the one before had not come to; more than a few mean a file that is none. */
const MOST_ATTEMPTS = 6

/**
 * Reads a PDF that nobody vouches for and copies every page into the new file.
 * @param bytes Are changed where their syntax is mended.
 * @throws Refusal as `loadPdf` and `copyPages`; then nothing is left in the store.
 */
export async function copyPdf(bytes: Uint8Array, maxPages: number, store: ObjectStore): Promise<CopiedPages> {
  const lead = measureLead(bytes) ?? 0
  const watched = watchSyntax(bytes.subarray(lead))
  const known = store.objects.length
  for (let attempt = 1; ; attempt++) {
    const strays = watched.strays
    const outcome = await tryCopy()
    if (!(outcome instanceof Error) && watched.strays === strays && !watched.isHopeless) return outcome
    store.objects.length = known
    if (watched.isHopeless || attempt === MOST_ATTEMPTS)
      throw new Refusal('unreadable', 'too much that is no PDF syntax')
    if (watched.strays === strays) throw outcome
  }

  async function tryCopy(): Promise<CopiedPages | Error> {
    try {
      const loaded = await loadPdf(watched, maxPages, lead)
      if (findLostContent(loaded, watched) !== undefined)
        throw new Refusal('unreadable', 'the content of a page is not where the file says')
      const copy = await copyPages(loaded, watched, store)
      // objects are read when they are needed, and the lenient parser makes nothing of those it must not inflate
      checkDecodingBudget()
      return copy
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}
