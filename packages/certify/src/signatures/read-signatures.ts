import { type LoadedPdf, loadPdf } from '../pdf/load-pdf.ts'
import { readMending } from '../pdf/read-mending.ts'
import { resolveIn } from '../pdf/resolve-in.ts'
import { findSignatures } from './find-signatures.ts'
import { type ReadSignature, readSignature } from './read-signature.ts'
import type { UploadSignature } from '../types.ts'

/** All signatures of one file together; a second of work or two. */
const MOST_HASHED_BYTES = 1 << 30

/**
 * Reads the signatures that a PDF brings, which nobody vouches for: who signed, when, and whether the bytes still fit. Asks no
 * one and trusts no one: a certificate in any name can be made by anybody.
 * @param original The bytes as they were uploaded; they are not changed, for the parser gets a copy.
 * @returns at most 32, those of older states of the file first; none for a file that cannot be read. Throws nothing.
 */
export async function readSignatures(original: Uint8Array, maxPages: number): Promise<UploadSignature[]> {
  try {
    return await readMending(new Uint8Array(original), async (watched, lead) =>
      listSignatures(await loadPdf(watched, maxPages, lead), original),
    )
  } catch {
    return []
  }
}

/**
 * The same for a file that is parsed already; before its pages are copied, as that changes what was parsed.
 * @param original The bytes as they were uploaded, not those that were mended while they were parsed.
 * @throws Error where the parser cannot read an object.
 */
function listSignatures(loaded: LoadedPdf, original: Uint8Array): UploadSignature[] {
  const resolve = resolveIn(loaded.pdf)
  const file = {
    bytes: original,
    isEncrypted: loaded.pdf.isEncrypted,
    resolve,
    budget: { bytesLeft: MOST_HASHED_BYTES },
  }
  const known = new Set<number>()
  return findSignatures(loaded, resolve)
    .map((dict) => readSignature(dict, file))
    .filter(({ range }) => !range || !isRepeated(range.gapStart))
    .sort((one, other) => endOf(one) - endOf(other))
    .map(({ signature }) => signature)

  /** Two dictionaries of the same signature, one of which a later revision may have added. */
  function isRepeated(gapStart: number): boolean {
    const isKnown = known.has(gapStart)
    known.add(gapStart)
    return isKnown
  }
}

/** Those that name no state of the file come last. */
function endOf({ range }: ReadSignature): number {
  return range?.end ?? Number.MAX_SAFE_INTEGER
}
