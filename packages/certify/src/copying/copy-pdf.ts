import { Refusal } from '../errors.ts'
import { type CopiedPages, copyPages } from './copy-pages.ts'
import { checkDecodingBudget } from '../pdf/guard-decoding.ts'
import { findLostContent } from '../pdf/find-lost-content.ts'
import { loadPdf } from '../pdf/load-pdf.ts'
import type { ObjectStore } from '../pdf/object-store.ts'
import { readMending } from '../pdf/read-mending.ts'

/**
 * Reads a PDF that nobody vouches for and copies every page into the new file.
 * @param bytes Are changed where their syntax is mended.
 * @throws Refusal as `loadPdf` and `copyPages`; then nothing is left in the store.
 */
export async function copyPdf(bytes: Uint8Array, maxPages: number, store: ObjectStore): Promise<CopiedPages> {
  const known = store.objects.length
  try {
    return await readMending(bytes, async (watched, lead) => {
      store.objects.length = known
      const loaded = await loadPdf(watched, maxPages, lead)
      if (findLostContent(loaded, watched) !== undefined)
        throw new Refusal('ambiguous', 'the content of a page is not where the file says')
      const copy = await copyPages(loaded, watched, store)
      // objects are read when they are needed, and the lenient parser makes nothing of those it must not inflate
      checkDecodingBudget()
      return copy
    })
  } catch (error) {
    store.objects.length = known
    throw error
  }
}
