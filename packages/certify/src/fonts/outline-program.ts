import { refuseProgram } from './compact-tables.ts'
import { followOutline } from './compact-outline.ts'
import { encryptGlyph, encryptType1 } from './decrypt-type1.ts'
import { ENCODINGS } from './latin-glyphs.ts'
import { readCompact } from './read-compact.ts'
import { readType1 } from './read-type1.ts'
import { followType1Outline } from './type1-outline.ts'

/** A program with outlines of Type 1 or its compact form, which all readers read alike. */
export interface OutlineProgram {
  /** In the order of the program; numbers of a collection where it is of one. */
  names: readonly string[]
  isNumbered: boolean
  isCompact: boolean
  /** It gives one glyph to each code, once. */
  hasPlainCodes: boolean
  /** Names by code as the program has them. */
  codes: ReadonlyMap<number, string>
  /** The same with nothing to show for what is missing; undefined where that is so already. */
  hideMissing(): Buffer | undefined
}

export const MISSING = '.notdef'
const { StandardEncoding } = ENCODINGS
const LEAST_SCALE = 0.0001
const MOST_SCALE = 0.01
/** An end, as often as there is room: readers look at what stands behind the first. */
const END = 14
const WIDTH_ONLY = Buffer.from([139, 139, 13, END])

/** @throws Refusal `unreadable`. */
export function readOutlineProgram(program: Buffer): OutlineProgram {
  return program[0] === 0x25 ? readProgramOfType1(program) : readCompactProgram(program)
}

function readCompactProgram(program: Buffer): OutlineProgram {
  const { glyphs, isNumbered, codes, hasPlainCodes, matrix } = readCompact(program)
  checkMatrix(matrix)
  const names = glyphs.map(({ name }) => name)
  const outlines = glyphs.map(({ code, subroutines }) => followOutline(code, subroutines))
  checkParts(names, outlines, isNumbered)
  return {
    names,
    isNumbered,
    isCompact: true,
    hasPlainCodes,
    codes: new Map([...codes].map(([code, glyph]) => [code, names[glyph]!])),
    hideMissing() {
      if (outlines[0]?.isShown !== true) return undefined
      const copy = Buffer.from(program)
      const { code } = glyphs[0]!
      const start = code.byteOffset - program.byteOffset
      return copy.fill(END, start, start + code.length)
    },
  }
}

function readProgramOfType1(program: Buffer): OutlineProgram {
  const { glyphs, subroutines, codes, hasPlainCodes, matrix, secret } = readType1(program)
  checkMatrix(matrix)
  const names = glyphs.map(({ name }) => name)
  const outlines = glyphs.map(({ code }) => followType1Outline(code, subroutines))
  checkParts(names, outlines, false)
  const missing = names.indexOf(MISSING)
  if (missing < 0) refuseProgram('no glyph for what is missing')
  return {
    names,
    isNumbered: false,
    isCompact: false,
    hasPlainCodes,
    codes: codes ?? new Map(StandardEncoding.entries()),
    hideMissing() {
      if (!outlines[missing]!.isShown) return undefined
      const { from, to } = glyphs[missing]!
      const { start, text, random } = secret
      const glyph = encryptGlyph(WIDTH_ONLY, random)
      const entry = Buffer.from(`/${MISSING} ${glyph.length} ${secret.word} `)
      const plain = Buffer.concat([text.subarray(0, from), entry, glyph, text.subarray(to)])
      return Buffer.concat([program.subarray(0, start), encryptType1(plain)])
    },
  }
}

/** Letters that are turned, moved or of another measure each reader draws in a way of its own. */
function checkMatrix([across = 0, up, slant = 0, height = 0, right, raised]: readonly number[]): void {
  const isScale = (value: number): boolean => value >= LEAST_SCALE && value <= MOST_SCALE
  if (!isScale(across) || !isScale(height) || up !== 0 || right !== 0 || raised !== 0 || Math.abs(slant) > across)
    refuseProgram('a size that is none')
}

/** Accented letters are made of two others, which must be there, once, and not be made of others themselves. */
function checkParts(
  names: readonly string[],
  outlines: readonly { parts: readonly [number, number] | undefined }[],
  isNumbered: boolean,
): void {
  const places = new Map(names.map((name, i) => [name, i]))
  if (places.size < names.length) refuseProgram('a glyph that is there twice')
  if (names.includes('')) refuseProgram('a glyph without a name')
  for (const { parts } of outlines) {
    if (parts === undefined) continue
    for (const code of parts) {
      const place = isNumbered ? undefined : places.get(StandardEncoding[code] || '')
      if (place === undefined || outlines[place]!.parts !== undefined)
        refuseProgram('a letter of parts that are not there')
    }
  }
}
