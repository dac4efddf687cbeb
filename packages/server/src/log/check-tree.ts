import { areEqual, toHex } from '@proofdesk/proof/bytes'
import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { openNote, parseVerifierKey } from '@proofdesk/proof/log/note'
import { appendLeaves, type Tile } from '@proofdesk/proof/log/tiles'
import { hashLeaf } from '@proofdesk/proof/log/tree'
import type { Db } from '../db/open.ts'
import { findHead, findNewestCheckpoint, findTile, listEntries } from './queries.ts'

const ENTRIES_AT_ONCE = 256

/**
 * Builds the whole tree anew from its entries, and compares it with the stored tiles, with its root, and with the newest
 * signed head.
 * @param verifierKey Of the log.
 * @returns its size; what differs, in words for the operator.
 */
export async function checkTree(db: Db, verifierKey: string): Promise<{ size: number; problem: string | undefined }> {
  // The signed head first: a server may sign another in between, and the tree only grows.
  const newest = await findNewestCheckpoint(db)
  const head = await findHead(db)
  const problem = (text: string) => ({ size: head.size, problem: text })
  const widest = new Map<string, Tile>()
  let built = { size: 0, root: head.root.slice(0, 0) }
  const readTile = async (level: number, index: number, width: number) =>
    (widest.get(`${level}/${index}`)?.data ?? new Uint8Array()).subarray(0, width * 32)
  const signed = newest && parseCheckpoint((await openNote(newest.note, [parseVerifierKey(verifierKey)])).text)
  while (built.size < head.size) {
    // Stops where a head was signed, to compare the tree of that size.
    const until = signed && built.size < signed.size ? Math.min(signed.size, head.size) : head.size
    const entries = await listEntries(db, built.size, Math.min(ENTRIES_AT_ONCE, until - built.size))
    if (entries.length === 0) return problem(`entry ${built.size} is missing`)
    const gap = entries.findIndex(({ leaf_index: index }, at) => index !== built.size + at)
    if (gap !== -1) return problem(`entry ${built.size + gap} is missing`)
    const leaves = entries.map(({ entry }) => hashLeaf(new TextEncoder().encode(entry)))
    const { tiles, ...now } = await appendLeaves(built.size, leaves, readTile)
    for (const tile of tiles) widest.set(`${tile.level}/${tile.index}`, tile)
    built = now
    if (signed && built.size === signed.size && !areEqual(built.root, signed.root))
      return problem(`its entries do not give the signed head of ${signed.size}`)
  }
  if (signed && signed.size > head.size) return problem(`a head of ${signed.size} entries was signed`)
  if (head.size > 0 && !areEqual(built.root, head.root))
    return problem(`its entries do not give its root ${toHex(head.root)}`)
  for (const { level, index, data } of widest.values()) {
    const stored = await findTile(db, level, index, data.length / 32)
    if (!stored || !areEqual(stored, data)) return problem(`tile ${level}/${index} is another`)
  }
  return { size: head.size, problem: undefined }
}
