import type { Bytes } from '../bytes.ts'
import { appendLeaves, type ReadTile } from '../log/tiles.ts'
import { EMPTY_ROOT, hashLeaf } from '../log/tree.ts'
import { writeUtf8 } from '../utf8.ts'

/** A log whose tiles lie in memory, stored as a server would store them. */
export class MemoryLog {
  size = 0
  root = EMPTY_ROOT
  readonly entries: Bytes[] = []
  readonly tiles = new Map<string, Bytes>()
  /** How many tiles were read. */
  reads = 0

  readonly readTile: ReadTile = async (level, index, width) => {
    this.reads++
    const tile = this.tiles.get(`${level}/${index}`)
    if (!tile) throw new Error(`no tile ${level}/${index}`)
    return tile.slice(0, width * 32)
  }

  async append(entries: readonly Bytes[]): Promise<{ level: number; index: number; data: Bytes }[]> {
    const { size, root, tiles } = await appendLeaves(this.size, entries.map(hashLeaf), this.readTile)
    for (const { level, index, data } of tiles) this.tiles.set(`${level}/${index}`, data)
    this.entries.push(...entries)
    this.size = size
    this.root = root
    return tiles
  }
}

/** Entries `record 0`, `record 1` and so on, as the cases of other implementations have them. */
export function listRecords(from: number, to: number): Bytes[] {
  return Array.from({ length: to - from }, (_, i) => writeUtf8(`record ${from + i}`))
}
