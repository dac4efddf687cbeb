import { refuseProgram } from './compact-tables.ts'
import { type PlainGlyph, readGlyph } from './truetype-glyph.ts'
import { writeTables } from './write-tables.ts'

/** What says which glyphs there are, how they look and what they are called. */
const KEPT = ['cmap', 'post', 'name', 'OS/2', 'hhea', 'maxp', 'head']
const NEEDED = { head: 54, hhea: 36, maxp: 6, loca: 2 }
const HEAD_BYTES = 12
const ENTRY_BYTES = 16
const LEAST_UNITS = 16
const MOST_UNITS = 16_384
/** Parts of parts; beyond that some readers stop. */
const DEEPEST = 5
const MOST_PARTS = 1 << 12

/**
 * Writes a TrueType font anew with its outlines alone. Instructions that fit letters to the pixels of a screen are left out: they can move
 * every point of a letter, and some readers follow them, the reviewer's need not. Each letter begins where its outline does, as for that
 * reader: others move it to where the list of widths says.
 * @throws Refusal `unreadable` where readers would mend the font in ways of their own, or take another.
 */
export function stripTrueType(program: Buffer): Buffer {
  const tables = readTables(program)
  for (const [tag, length] of Object.entries(NEEDED))
    if ((tables.get(tag)?.length ?? 0) < length) refuseProgram(`no table ${tag}`)
  const [head, hhea, maxp] = ['head', 'hhea', 'maxp'].map((tag) => Buffer.from(tables.get(tag)!)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const units = head.readUInt16BE(18)
  if (units < LEAST_UNITS || units > MOST_UNITS) refuseProgram('units without measure')
  const count = maxp.readUInt16BE(4)
  const glyphs = readGlyphs(tables, head.readInt16BE(50), count)
  checkDepth(glyphs)
  const { glyf, loca } = placeGlyphs(glyphs)
  head.writeInt16BE(1, 50)
  const hmtx = moveToOutlines(tables.get('hmtx') ?? refuseProgram('no table hmtx'), hhea.readUInt16BE(34), glyphs)
  hhea.writeUInt16BE(count, 34)
  const kept = new Map(KEPT.flatMap((tag) => (tables.has(tag) ? [[tag, tables.get(tag)!] as const] : [])))
  for (const [tag, table] of Object.entries({ head, hhea, maxp, glyf, loca, hmtx })) kept.set(tag, table)
  return writeTables(kept)
}

function readTables(program: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>()
  for (let i = 0; i < program.readUInt16BE(4); i++) {
    const entry = HEAD_BYTES + ENTRY_BYTES * i
    if (entry + ENTRY_BYTES > program.length) refuseProgram('tables that are cut off')
    const tag = program.toString('latin1', entry, entry + 4)
    const [from, length] = [program.readUInt32BE(entry + 8), program.readUInt32BE(entry + 12)]
    if (length === 0) continue
    if (tables.has(tag)) refuseProgram('a table that is there twice')
    tables.set(tag, program.subarray(from, from + length))
    if (from + length > program.length && (KEPT.includes(tag) || tag in NEEDED || tag === 'glyf'))
      refuseProgram('tables that are cut off')
  }
  return tables
}

function readGlyphs(tables: ReadonlyMap<string, Buffer>, format: number, count: number): (PlainGlyph | undefined)[] {
  const [loca, glyf] = [tables.get('loca')!, tables.get('glyf') ?? Buffer.alloc(0)]
  if (count === 0 || (format !== 0 && format !== 1)) refuseProgram('places of glyphs that are none')
  const size = format === 0 ? 2 : 4
  if (loca.length < size * (count + 1)) refuseProgram('fewer places than glyphs')
  const place = (glyph: number): number =>
    format === 0 ? 2 * loca.readUInt16BE(2 * glyph) : loca.readUInt32BE(4 * glyph)
  return Array.from({ length: count }, (_, glyph) => {
    const [from, to] = [place(glyph), place(glyph + 1)]
    if (to < from || to > glyf.length) refuseProgram('places of glyphs that are not in order')
    return to === from ? undefined : readGlyph(glyf.subarray(from, to))
  })
}

function checkDepth(glyphs: readonly (PlainGlyph | undefined)[]): void {
  let left = 0
  const follow = (glyph: number, depth: number): void => {
    if (depth > DEEPEST || --left < 0 || glyph >= glyphs.length) refuseProgram('a letter of parts that are not there')
    for (const part of glyphs[glyph]?.parts ?? []) follow(part, depth + 1)
  }
  for (const [number, glyph] of glyphs.entries()) {
    left = MOST_PARTS
    if (glyph !== undefined && glyph.parts.length > 0) follow(number, 0)
  }
}

function placeGlyphs(glyphs: readonly (PlainGlyph | undefined)[]): { glyf: Buffer; loca: Buffer } {
  const loca = Buffer.alloc(4 * (glyphs.length + 1))
  const parts: Buffer[] = []
  let at = 0
  for (const [i, glyph] of glyphs.entries()) {
    const data = glyph?.data ?? Buffer.alloc(0)
    const padded = Buffer.concat([data, Buffer.alloc(-data.length & 3)])
    parts.push(padded)
    at += padded.length
    loca.writeUInt32BE(at, 4 * (i + 1))
  }
  // some readers want a table where there is not one outline
  return { glyf: at === 0 ? Buffer.alloc(4) : Buffer.concat(parts), loca }
}

/** Widths, and how far the outline of each glyph is from where it begins: as far as it says itself. */
function moveToOutlines(old: Buffer, widths: number, glyphs: readonly (PlainGlyph | undefined)[]): Buffer {
  const hmtx = Buffer.alloc(4 * glyphs.length)
  for (const [i, glyph] of glyphs.entries()) {
    const at = 4 * Math.min(i, Math.max(0, widths - 1))
    hmtx.writeUInt16BE(at + 2 <= old.length ? old.readUInt16BE(at) : 0, 4 * i)
    hmtx.writeInt16BE(glyph === undefined || glyph.data.length === 0 ? 0 : glyph.data.readInt16BE(2), 4 * i + 2)
  }
  return hmtx
}
