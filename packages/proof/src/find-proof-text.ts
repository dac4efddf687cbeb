import { fromBase64 } from './base64.ts'
import { readLatin1, writeLatin1, type Bytes } from './bytes.ts'
import { ProofError } from './errors.ts'
import { parseProofExtra } from './log/proof-extra.ts'
import { hasPdfHeader, PDF_HEADER_WITHIN } from './pdf-header.ts'

const START = writeLatin1('c2sp.org/tlog-proof@v1\n')

/** Longest `extra` line that is looked at. */
const MAX_EXTRA = 5_000_000

/** How a page of the web begins, perhaps with a mark of its encoding. */
const PAGE = /^(?:\xef\xbb\xbf)?\s*</

/**
 * Looks for a proof in a file that cannot be read otherwise. Nothing of it is checked: it only tells whether the file is an
 * altered one of ours, one that a newer version made, or just some other file. A page that speaks of proofs, such as the one
 * that checks them offline, quotes one and is some other file.
 */
export function findProofText(file: Bytes): 'none' | 'ours' | 'newer' {
  // A PDF that somebody put something before has its header yet.
  if (PAGE.test(readLatin1(file, 0, PDF_HEADER_WITHIN)) && !hasPdfHeader(file)) return 'none'
  const at = findLast(file, START)
  if (at < 0) return 'none'
  const text = readLatin1(file, at + START.length, at + START.length + MAX_EXTRA)
  const extra = fromBase64(/^extra ([A-Za-z0-9+/=]*)\n/.exec(text)?.[1] ?? '')
  try {
    parseProofExtra(extra ?? new Uint8Array())
    return 'ours'
  } catch (error) {
    return error instanceof ProofError && error.code === 'newer' ? 'newer' : 'ours'
  }
}

function findLast(bytes: Bytes, wanted: Bytes): number {
  for (let at = bytes.length - wanted.length; at >= 0; at--) {
    let same = 0
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++
    if (same === wanted.length) return at
  }
  return -1
}
