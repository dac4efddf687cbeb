import { refuseProgram } from './compact-tables.ts'

/** Of outlines in the compact form within a frame as TrueType fonts have it (OpenType, Organization of an OpenType font). */
const FRAME = 0x4f54544f
const HEAD_BYTES = 12
const ENTRY_BYTES = 16

/** @returns the outlines without the frame, whose tables some readers heed; what has none as it is. @throws Refusal `unreadable`. */
export function unwrapOutlines(program: Buffer): Buffer {
  if (program.length < HEAD_BYTES || program.readUInt32BE(0) !== FRAME) return program
  const tables: Buffer[] = []
  for (let i = 0; i < program.readUInt16BE(4); i++) {
    const at = HEAD_BYTES + ENTRY_BYTES * i
    if (at + ENTRY_BYTES > program.length) refuseProgram('tables that are cut off')
    if (program.toString('latin1', at, at + 4) !== 'CFF ') continue
    const [from, length] = [program.readUInt32BE(at + 8), program.readUInt32BE(at + 12)]
    if (from + length > program.length) refuseProgram('tables that are cut off')
    tables.push(program.subarray(from, from + length))
  }
  return tables.length === 1 ? tables[0]! : refuseProgram('outlines that are missing, or there twice')
}
