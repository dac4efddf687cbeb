import { readSfnt, type SfntTables, writeSfnt } from './sfnt.ts'

/**
 * Makes one font of glyphs of several, numbered from 1 in the given order; glyph 0 is empty. The slices of a family would
 * otherwise each cost a font of their own in the file, which is more than their few outlines. Only what ISO 32000-2 section
 * 9.9 asks of a TrueType font that is addressed by glyph number is written.
 * @param wanted Old glyph numbers, each with its TrueType font. All have the same units per em.
 */
export function joinFonts(wanted: readonly { font: Uint8Array; glyph: number }[]): Uint8Array {
  const sources = new Map(
    [...new Set(wanted.map(({ font }) => font))].map((font) => [font, openSource(readSfnt(font))]),
  )
  const queue = wanted.map(({ font, glyph }) => ({ source: sources.get(font)!, glyph }))
  const outlines: Uint8Array[] = [new Uint8Array()]
  const metrics: [advance: number, bearing: number][] = [[0, 0]]
  // components of composite glyphs are added behind while this runs
  for (let i = 0; i < queue.length; i++) {
    const { source, glyph } = queue[i]!
    const outline = source.outline(glyph).slice()
    renumberComponents(outline, (component) => queue.push({ source, glyph: component }))
    outlines.push(outline)
    metrics.push(source.metrics(glyph))
  }
  return writeFont([...sources.values()], outlines, metrics)
}

interface Source {
  tables: SfntTables
  outline(glyph: number): Uint8Array
  metrics(glyph: number): [advance: number, bearing: number]
}

function openSource(tables: SfntTables): Source {
  const { head, hhea, hmtx, loca, glyf } = tables
  const isLong = head.getInt16(50) === 1
  const count = hhea.getUint16(34)
  const offset = (glyph: number): number => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph))
  return {
    tables,
    outline: (glyph) => new Uint8Array(glyf.buffer, glyf.byteOffset + offset(glyph), offset(glyph + 1) - offset(glyph)),
    metrics: (glyph) => {
      const last = Math.min(glyph, count - 1)
      const bearing = glyph < count ? 4 * glyph + 2 : 4 * count + 2 * (glyph - count)
      return [hmtx.getUint16(4 * last), hmtx.getInt16(bearing)]
    },
  }
}

/**
 * OpenType, glyf table, composite glyph description: flags, glyph, arguments, transformation.
 * @param number Gives a component its new number.
 */
function renumberComponents(outline: Uint8Array, number: (component: number) => number): void {
  const view = new DataView(outline.buffer, outline.byteOffset, outline.byteLength)
  if (outline.length === 0 || view.getInt16(0) >= 0) return
  for (let at = 10; ;) {
    const flags = view.getUint16(at)
    view.setUint16(at + 2, number(view.getUint16(at + 2)))
    const scale = flags & 0x08 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0
    at += 4 + (flags & 0x01 ? 4 : 2) + scale
    if (!(flags & 0x20)) return
  }
}

function writeFont(
  sources: readonly Source[],
  outlines: readonly Uint8Array[],
  metrics: readonly [number, number][],
): Uint8Array {
  const first = sources[0]!.tables
  const size = outlines.reduce((sum, outline) => sum + alignTo4(outline.length), 0)
  const glyf = new Uint8Array(size)
  const loca = new DataView(new ArrayBuffer(4 * (outlines.length + 1)))
  const hmtx = new DataView(new ArrayBuffer(4 * outlines.length))
  let at = 0
  for (const [i, outline] of outlines.entries()) {
    glyf.set(outline, at)
    at += alignTo4(outline.length)
    loca.setUint32(4 * (i + 1), at)
    hmtx.setUint16(4 * i, metrics[i]![0])
    hmtx.setInt16(4 * i + 2, metrics[i]![1])
  }
  const head = copyView(first.head)
  head.setUint32(8, 0)
  head.setInt16(50, 1)
  const hhea = copyView(first.hhea)
  hhea.setUint16(34, outlines.length)
  const maxp = copyView(first.maxp)
  maxp.setUint16(4, outlines.length)
  for (const { tables } of sources) {
    for (const low of [36, 38]) head.setInt16(low, Math.min(head.getInt16(low), tables.head.getInt16(low)))
    for (const high of [40, 42]) head.setInt16(high, Math.max(head.getInt16(high), tables.head.getInt16(high)))
    for (let field = 6; field < maxp.byteLength; field += 2) {
      maxp.setUint16(field, Math.max(maxp.getUint16(field), tables.maxp.getUint16(field)))
    }
  }
  return writeSfnt({ glyf: new DataView(glyf.buffer), head, hhea, hmtx, loca, maxp })
}

const alignTo4 = (length: number): number => (length + 3) & ~3

const copyView = (view: DataView): DataView =>
  new DataView(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) as ArrayBuffer)
