/** The compact form of Type 1 (Adobe technical note 5176), with glyphs of its own. */
export interface SmallCompact {
  glyphs: readonly CompactGlyph[]
  /** Code of each glyph but the first, by number of the glyph; the standard encoding when absent. */
  codes?: readonly number[] | undefined
  /** Instead of names: numbers of a collection. */
  isNumbered?: boolean
  /** Further entries of the top dictionary. */
  top?: readonly number[]
  /** Entries of the private dictionary. */
  secret?: readonly number[]
  /** Before the header. */
  lead?: Buffer
  subroutines?: readonly Buffer[]
}

export interface CompactGlyph {
  name: string
  /** Its number in the collection. */
  number?: number
  outline: Buffer
}

const STANDARD_STRINGS = 391
/** The first strings that all such fonts know are the names of ASCII from the space on. */
const SHARED = new Map([
  ['space', 1],
  ...Array.from({ length: 26 }, (_, i) => [String.fromCharCode(65 + i), 34 + i] as const),
])

export function writeInteger(value: number): number[] {
  if (value >= -107 && value <= 107) return [value + 139]
  return [28, (value >> 8) & 0xff, value & 0xff]
}

/** Five bytes, whatever the value is. */
const writeLong = (value: number): number[] => [
  29,
  value >>> 24,
  (value >> 16) & 0xff,
  (value >> 8) & 0xff,
  value & 0xff,
]

/** A glyph of operators and numbers. */
export const writeOutline = (...parts: readonly (number | readonly [operator: number, escaped?: number])[]): Buffer =>
  Buffer.from(
    parts.flatMap((part) =>
      typeof part === 'number' ? writeInteger(part) : part.filter((byte) => byte !== undefined),
    ),
  )

export const boxOutline = (left: number, bottom: number, right: number, top: number): Buffer =>
  writeOutline(left, bottom, [21], right - left, [6], top - bottom, [7], left - right, [6], [14])

function writeIndex(items: readonly Buffer[]): Buffer {
  if (items.length === 0) return Buffer.from([0, 0])
  const head = Buffer.alloc(3 + 2 * (items.length + 1))
  head.writeUInt16BE(items.length, 0)
  head[2] = 2
  let at = 1
  for (const [i, item] of items.entries()) {
    head.writeUInt16BE(at, 3 + 2 * i)
    at += item.length
  }
  head.writeUInt16BE(at, 3 + 2 * items.length)
  return Buffer.concat([head, ...items])
}

export function makeSmallCompact(font: SmallCompact): Buffer {
  const { glyphs, codes, isNumbered = false, top = [], secret = [], lead = Buffer.alloc(0), subroutines = [] } = font
  const texts = isNumbered ? ['Adobe', 'Identity'] : glyphs.slice(1).map(({ name }) => name)
  const findString = (name: string, at: number): number => SHARED.get(name) ?? STANDARD_STRINGS + at
  const head = Buffer.from([1, 0, 4, 2])
  const names = writeIndex([Buffer.from('Small')])
  const strings = writeIndex(texts.map((text) => Buffer.from(text, 'latin1')))
  const globals = writeIndex([])
  const charset = Buffer.alloc(1 + 2 * (glyphs.length - 1))
  for (const [i, { name, number = i + 1 }] of glyphs.slice(1).entries())
    charset.writeUInt16BE(isNumbered ? number : findString(name, i), 1 + 2 * i)
  const encoding = codes === undefined ? Buffer.alloc(0) : Buffer.from([0, codes.length, ...codes])
  const outlines = writeIndex(glyphs.map(({ outline }) => outline))
  const locals = subroutines.length === 0 ? Buffer.alloc(0) : writeIndex(subroutines)
  const own = Buffer.from([...secret, ...(subroutines.length === 0 ? [] : [...writeLong(secret.length + 6), 19])])
  const select = isNumbered ? Buffer.alloc(1 + glyphs.length) : Buffer.alloc(0)
  const write = (start: number): { dictionary: Buffer; below: Buffer } => {
    let at = start
    const place = (part: Buffer): number => (at += part.length) - part.length
    const charsetAt = place(charset)
    const encodingAt = place(encoding)
    const outlinesAt = place(outlines)
    const ownAt = place(own)
    place(locals)
    const selectAt = place(select)
    const below = writeIndex([Buffer.from([...writeLong(own.length), ...writeLong(ownAt), 18])])
    const belowAt = at
    const dictionary = Buffer.from([
      ...(isNumbered
        ? [...writeInteger(STANDARD_STRINGS), ...writeInteger(STANDARD_STRINGS + 1), ...writeInteger(0), 12, 30]
        : []),
      ...top,
      ...writeLong(charsetAt),
      15,
      ...(codes === undefined ? [] : [...writeLong(encodingAt), 16]),
      ...writeLong(outlinesAt),
      17,
      ...(isNumbered
        ? [...writeLong(belowAt), 12, 36, ...writeLong(selectAt), 12, 37]
        : [...writeLong(own.length), ...writeLong(ownAt), 18]),
    ])
    return { dictionary, below: isNumbered ? below : Buffer.alloc(0) }
  }
  const length = (dictionary: Buffer): number =>
    head.length + names.length + writeIndex([dictionary]).length + strings.length + globals.length
  const { dictionary, below } = write(length(write(0).dictionary))
  const parts = [
    head,
    names,
    writeIndex([dictionary]),
    strings,
    globals,
    charset,
    encoding,
    outlines,
    own,
    locals,
    select,
  ]
  return Buffer.concat([lead, ...parts, below])
}
