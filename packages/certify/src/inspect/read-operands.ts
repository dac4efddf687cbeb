import { KINDS } from '../pdf/byte-kinds.ts'
import { readNameEscapes } from '../pdf/read-name-escapes.ts'

/** @param from Where it begins. */
export function readWordAt(content: Buffer, from: number): string {
  let to = from
  while (to < content.length && KINDS[content[to]!] === 0) to++
  return content.toString('latin1', from, to)
}

/** @param from Where its slash stands. */
export const readName = (content: Buffer, from: number): string => readNameEscapes(readWordAt(content, from + 1))
