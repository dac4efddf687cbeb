import { PdfDict, PdfStream } from '@libpdf/core'
import { refuseProgram } from '../fonts/compact-tables.ts'
import { findProgram, PROGRAM_ENTRIES } from '../fonts/find-program.ts'
import { type OutlineProgram, readOutlineProgram } from '../fonts/outline-program.ts'
import { stripTrueType } from '../fonts/strip-truetype.ts'
import { unwrapOutlines } from '../fonts/unwrap-outlines.ts'
import {
  makeStream,
  nameOf,
  numberOf,
  type ObjectStore,
  type PdfObject,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** More than the largest fonts of all scripts have. */
const MAX_PROGRAM_BYTES = 64 << 20
/** Of all numbers that a text can hold. */
const MAX_MAP_BYTES = 4 << 20
/** TrueType, as Windows and as Apple begin it. */
const TRUETYPE = new Set([0x00010000, 0x74727565])

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** What is known of the programs of fonts, by their streams: many fonts may share one. */
export interface Programs {
  /** @returns undefined where the font is not embedded, or its program is TrueType. */
  find(descriptor: PdfDict): OutlineProgram | undefined
}

/**
 * Looks into the programs of fonts. Each reader mends faults in them in its own way, or shows the
 * letters of another font: one may see other words. A compact form within a TrueType frame is taken out of it; TrueType is written anew.
 * @throws Refusal `unreadable` for programs with such faults.
 */
export function settlePrograms(store: ObjectStore, fonts: readonly PdfDict[]): Programs {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const programs = new Map<PdfStream, OutlineProgram | undefined>()
  const find = (descriptor: PdfDict): OutlineProgram | undefined => {
    const stream = findProgram(descriptor, resolve)
    return stream && programs.get(stream)
  }
  const settled = new Map<PdfStream, PdfStream | undefined>()
  for (const font of fonts) {
    const descriptor = resolve(font.get('FontDescriptor'))
    const stream = descriptor instanceof PdfDict ? findProgram(descriptor, resolve) : undefined
    if (!(descriptor instanceof PdfDict) || stream === undefined) continue
    const isPart = font.has('CIDSystemInfo')
    if (!programs.has(stream)) {
      const { program, changed } = readProgram(store, stream)
      programs.set(stream, program)
      if (changed !== undefined) {
        settled.set(stream, changed)
        programs.set(changed, program)
      }
    }
    const program = programs.get(stream)
    const changed = settled.get(stream)
    if (changed !== undefined) {
      for (const key of PROGRAM_ENTRIES) descriptor.delete(key)
      descriptor.set(findEntry(changed), registerObject(store, changed))
    }
    if (program !== undefined) checkUse(store, font, program, isPart)
  }
  return { find }
}

function findEntry(stream: PdfStream): string {
  if (stream.has('Length1')) return 'FontFile2'
  return stream.has('Subtype') ? 'FontFile3' : 'FontFile'
}

interface Read {
  program: OutlineProgram | undefined
  /** What stands in its place. */
  changed?: PdfStream | undefined
}

function readProgram(store: ObjectStore, stream: PdfStream): Read {
  const content = decodeContent(store, stream, MAX_PROGRAM_BYTES)
  if (content === undefined || content.length < 4) refuseProgram('data that cannot be unpacked')
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (TRUETYPE.has(bytes.readUInt32BE(0))) {
    const stripped = stripTrueType(bytes)
    return { program: undefined, changed: makeStream({ Length1: numberOf(stripped.length) }, stripped) }
  }
  const outlines = unwrapOutlines(bytes)
  const program = readOutlineProgram(outlines)
  const shown = program.isNumbered ? undefined : program.hideMissing()
  if (shown === undefined && outlines === bytes) return { program }
  const isType1 = outlines[0] === 0x25
  const entries = isType1 ? {} : { Subtype: nameOf(program.isNumbered ? 'CIDFontType0C' : 'Type1C') }
  return { program, changed: makeStream(entries, shown ?? outlines) }
}

/** Numbers of glyphs are those of the program: some readers heed a map to others, some do not. */
function checkUse(store: ObjectStore, font: PdfDict, program: OutlineProgram, isPart: boolean): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  if (!isPart) {
    if (program.isNumbered) refuseProgram('glyphs of a collection where names are looked for')
    return
  }
  if (!program.isCompact) refuseProgram('names of glyphs where numbers are looked for')
  const map = resolve(font.get('CIDToGIDMap'))
  if (map instanceof PdfStream && !isIdentity(store, map)) refuseProgram('a map to glyphs that it has by itself')
  font.delete('CIDToGIDMap')
  font.set('Subtype', nameOf('CIDFontType0'))
}

function isIdentity(store: ObjectStore, map: PdfStream): boolean {
  const content = decodeContent(store, map, MAX_MAP_BYTES)
  if (content === undefined) return false
  const numbers = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (let at = 0; at + 1 < numbers.length; at += 2) if (numbers.readUInt16BE(at) !== at / 2) return false
  return true
}
