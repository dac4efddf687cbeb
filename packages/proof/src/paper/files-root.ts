import { fromHex, joinBytes, toHex, type Bytes } from '../bytes.ts'
import { EMPTY_ROOT, hashChildren, hashLeaf, splitSize } from '../log/tree.ts'
import { writeUtf8 } from '../utf8.ts'

/** Tells these entries from those of any other tree. */
const CONTEXT = writeUtf8('proofdesk/file/v1\n')

/**
 * One hash for all originals in their order: the root of the RFC 6962 tree whose entries are `proofdesk/file/v1`, a newline,
 * and the 32 bytes of a file's SHA-256.
 * @param files SHA-256 of each, lower-case hex.
 * @returns lower-case hex
 * @see RFC 9162 section 2.1.1
 */
export function computeFilesRoot(files: readonly string[]): string {
  return toHex(hashTree(files.map((sha256) => hashLeaf(joinBytes(CONTEXT, fromHex(sha256))))))
}

function hashTree(leaves: readonly Bytes[]): Bytes {
  const [only] = leaves
  if (only === undefined) return EMPTY_ROOT
  if (leaves.length === 1) return only
  const split = splitSize(leaves.length)
  return hashChildren(hashTree(leaves.slice(0, split)), hashTree(leaves.slice(split)))
}
