const HEAD = /(?<![\d.])(\d{1,8})\s+(\d{1,5})\s+obj\b/g
const ENTRY = /(\d{10})( )(\d{5})( )([nf])/y
const SECTION = /\s*(\d{1,8}) +(\d{1,8})\s*/y
/** Far more than a table written by a program that miscounts has. */
const MOST_ENTRIES = 100_000

/**
 * Writes into a table of objects where they are, in its own place, and where it is itself. Only where nothing is left to
 * choose, so that whoever searches for the objects comes to the same: one table, one trailer, each object there once and named
 * by the table, none packed in another.
 * @returns whether that was so; nothing is changed where it was not.
 */
export function mendTable(bytes: Uint8Array): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = whole.toString('latin1')
  const [table, start] = [findOnly(text, /(?<!start)xref\b/g), findOnly(text, /startxref\s+(\d+)/g)]
  if (!table || !start || !findOnly(text, /\btrailer\b/g) || /\/(?:ObjStm|XRef)\b/.test(text)) return false
  const places = listPlaces(text)
  const entries = places && listEntries(text, table.index + 'xref'.length)
  if (!places || !entries || [...places.keys()].some((number) => !entries.has(number))) return false
  const [digits = ''] = start[0].match(/\d+$/) ?? []
  if (String(table.index).length > digits.length) return false
  whole.write(String(table.index).padStart(digits.length, '0'), start.index + start[0].length - digits.length, 'latin1')
  for (const [number, at] of entries) {
    const place = places.get(number)
    const entry = place
      ? `${String(place.offset).padStart(10, '0')} ${String(place.generation).padStart(5, '0')} n`
      : '0000000000 65535 f'
    whole.write(entry, at, 'latin1')
  }
  return true
}

function findOnly(text: string, pattern: RegExp): RegExpExecArray | undefined {
  const [first, second] = text.matchAll(pattern)
  return second === undefined ? first : undefined
}

/** Where each object begins. Undefined where one is there twice, or within a line, where not all that search look. */
function listPlaces(text: string): Map<number, { offset: number; generation: number }> | undefined {
  const places = new Map<number, { offset: number; generation: number }>()
  for (const { 1: number, 2: generation, index } of text.matchAll(HEAD)) {
    const isLineStart = index === 0 || text[index - 1] === '\n' || text[index - 1] === '\r'
    if (!isLineStart || places.has(Number(number)) || places.size > MOST_ENTRIES) return undefined
    places.set(Number(number), { offset: index, generation: Number(generation) })
  }
  return places
}

/** Where the entry of each object stands. Undefined for a table that cannot be read, or names an object twice. */
function listEntries(text: string, from: number): Map<number, number> | undefined {
  const entries = new Map<number, number>()
  let at = from
  for (SECTION.lastIndex = at; ; SECTION.lastIndex = at) {
    const section = SECTION.exec(text)
    if (section === null) break
    at = SECTION.lastIndex
    let number = Number(section[1])
    for (let left = Number(section[2]); left > 0; left--, number++) {
      ENTRY.lastIndex = at
      if (!ENTRY.test(text) || entries.has(number) || entries.size > MOST_ENTRIES) return undefined
      entries.set(number, at)
      at = ENTRY.lastIndex
      while (/\s/.test(text[at] ?? 'x')) at++
    }
  }
  return /^\s*trailer/.test(text.slice(at, at + 100)) ? entries : undefined
}
