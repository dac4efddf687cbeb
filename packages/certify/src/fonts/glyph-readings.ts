import type { CharacterMap, FontProgram } from './font-program.ts'
import { ENCODINGS, findMacintoshCode, isUnlistedNumber, readGlyphName } from './latin-glyphs.ts'

/** A simple font with a TrueType program: what readers choose its glyphs by (ISO 32000-2 section 9.6.5.4). */
export interface SimpleFont {
  program: FontProgram
  isSymbolic: boolean
  isNonsymbolic: boolean
  /** As the file names it. */
  base: 'MacRomanEncoding' | 'WinAnsiEncoding' | 'MacExpertEncoding' | undefined
  /** The encoding is a dictionary. */
  hasOwnEncoding: boolean
  differences: ReadonlyMap<number, string> | undefined
  toUnicode: ReadonlyMap<number, number> | undefined
  firstCode: number
}

/** The glyph of each code, 0 for none. */
export type GlyphReading = readonly number[]

type Names = readonly string[]

const { StandardEncoding, WinAnsiEncoding } = ENCODINGS
/** What is put before a code in a map for symbols. */
const PREFIXES = [0, 0xf000, 0xf100, 0xf200]

const readEach = (read: (code: number) => number): GlyphReading => Array.from({ length: 256 }, (_, code) => read(code))
const findMap = ({ program }: SimpleFont, platform: number, encoding: number): CharacterMap | undefined =>
  program.maps.find((map) => map.platform === platform && map.encoding === encoding)
const findNamed = ({ program }: SimpleFont, name: string): number =>
  Math.max(0, name === '' ? 0 : (program.glyphNames?.indexOf(name) ?? 0))
const listNames = ({ base }: SimpleFont): Names =>
  base === undefined || base === 'MacExpertEncoding' ? [] : ENCODINGS[base]
const findMeant = (font: SimpleFont, map: CharacterMap, code: number): number => {
  const meant = font.toUnicode?.get(code)
  return meant === undefined ? 0 : map.find(meant)
}

/** By a map to Unicode. Names that only longer lists have count for what is said of them elsewhere. */
function findByName(font: SimpleFont, map: CharacterMap, name: string, code: number): number {
  if (name === '') return 0
  const character = readGlyphName(name)
  return character === undefined ? findMeant(font, map, code) || findNamed(font, name) : map.find(character)
}

function findByMacintosh(map: CharacterMap, name: string): number {
  const code = findMacintoshCode(name)
  return code === undefined ? 0 : map.find(code)
}

/** The name that a code has for the reviewer's reader, also where it is only needed to read the text. */
export function nameCode(font: SimpleFont, code: number): string {
  const { base, differences, isSymbolic, isNonsymbolic } = font
  const named = differences?.get(code) ?? listNames(font)[code] ?? ''
  if (named !== '') return named
  if (base !== undefined || differences !== undefined) return StandardEncoding[code]!
  return (isSymbolic ? ENCODINGS.MacRomanEncoding : isNonsymbolic ? StandardEncoding : WinAnsiEncoding)[code]!
}

/** As pdf.js does, the reader in the page: names of glyphs count where the map says nothing, not even that there is none. */
export function readAsReviewer(font: SimpleFont): GlyphReading {
  const { base, differences, isNonsymbolic } = font
  const hasDifferences = differences !== undefined && differences.size > 0
  const isSymbolic = font.isSymbolic && !(base === undefined && isNonsymbolic && hasDifferences)
  const hasEncoding = base !== undefined || hasDifferences
  const map = chooseAsReviewer(font, isSymbolic, hasEncoding)
  const names = listNames(font)
  const isByName = hasEncoding && !isSymbolic
  return readEach((code) => {
    const name = differences?.get(code) ?? names[code] ?? ''
    const sought = map === undefined ? undefined : seek(map, code, name)
    const isSaid = sought !== undefined && map?.has(sought) === true
    const found = isSaid ? map.find(sought) : 0
    return isSaid && map.platform !== 0 ? found : findNamed(font, name) || found
  })

  /** What is looked up in the map. */
  function seek(chosen: CharacterMap, code: number, name: string): number | undefined {
    const { platform, encoding } = chosen
    const meant = name === '' ? StandardEncoding[code]! : name
    if (isByName && platform === 3 && encoding === 1)
      return readGlyphName(meant) ?? (font.program.glyphNames === undefined ? font.toUnicode?.get(code) : undefined)
    if (isByName && platform === 1) return findMacintoshCode(meant)
    if (platform === 3 && encoding === 0) return chosen.has(0xf000 + code) ? 0xf000 + code : code
    return code
  }
}

/**
 * Whether a code has a name by number, of a character that the lists here have no name for: a longer list, which the reviewer's
 * reader has, may have none either, and then it looks no further.
 */
export function hasUnlistedNumber({ differences }: SimpleFont): boolean {
  return [...(differences?.values() ?? [])].some(isUnlistedNumber)
}

function chooseAsReviewer(
  { program }: SimpleFont,
  isSymbolic: boolean,
  hasEncoding: boolean,
): CharacterMap | undefined {
  let chosen: CharacterMap | undefined
  for (const [i, map] of program.maps.entries()) {
    const { platform, encoding } = map
    if (chosen?.platform === platform && chosen.encoding === encoding) continue
    if ((platform === 0 && [0, 1, 3].includes(encoding)) || (platform === 1 && encoding === 0)) chosen = map
    else if (platform === 3 && encoding === 1 && (hasEncoding || chosen === undefined)) {
      chosen = map
      if (!isSymbolic) break
    } else if (platform === 3 && encoding === 0 && isSymbolic) {
      chosen = map
      if ((program.maps[i + 1]?.platform ?? 3) >= 3) break
    }
  }
  return chosen
}

/** As PDFium does, the reader in Chrome. */
export function readAsPdfium(font: SimpleFont): GlyphReading {
  const { program, isSymbolic, isNonsymbolic, differences } = font
  const { maps, glyphNames } = program
  const base = findPdfiumBase(font)
  const [unicode, macintosh, symbol] = [findMap(font, 3, 1), findMap(font, 1, 0), findMap(font, 3, 0)]
  const findSymbol = (map: CharacterMap, code: number): number => {
    for (const prefix of PREFIXES) if (map.find(prefix + code) !== 0) return map.find(prefix + code)
    return 0
  }
  if ((differences === undefined && base !== undefined && base !== 'StandardEncoding') || isNonsymbolic) {
    if (glyphNames === undefined && maps.length === 0) {
      const first = font.firstCode
      return readEach((code) => (first < 0 || first > 255 || code < first ? 0 : code - first + 3))
    }
    const map = unicode ?? (isNonsymbolic ? (macintosh ?? symbol) : (symbol ?? macintosh))
    return readEach((code) => {
      const name = differences?.get(code) ?? (base === undefined ? '' : ENCODINGS[base][code]!)
      if (name === '') return map?.find(code) ?? 0
      if (name === '.notdef') return 0
      const found =
        map === undefined
          ? 0
          : map === symbol
            ? findSymbol(map, code)
            : map === unicode
              ? findByName(font, map, name, code)
              : findByMacintosh(map, name)
      return found || findNamed(font, name) || (map === undefined ? 0 : findMeant(font, map, code))
    })
  }
  if (symbol !== undefined) {
    const glyphs = readEach((code) => findSymbol(symbol, code))
    if (glyphs.some(Boolean)) return glyphs
  }
  if (macintosh !== undefined) return readEach((code) => macintosh.find(code))
  const last = unicode ?? maps.findLast(({ platform }) => platform === 0) ?? findMap(font, 3, 10)
  const glyphs = readEach((code) => last?.find(code) ?? 0)
  return glyphs.some(Boolean) || isSymbolic === isNonsymbolic ? glyphs : readEach((code) => code)
}

function findPdfiumBase(font: SimpleFont): keyof typeof ENCODINGS | undefined {
  const { base: named, isSymbolic, hasOwnEncoding, program } = font
  const ruled = isSymbolic && !hasOwnEncoding ? undefined : 'StandardEncoding'
  const base = named === undefined ? ruled : named === 'MacExpertEncoding' ? 'WinAnsiEncoding' : named
  if (!isSymbolic || named === undefined || program.maps.length === 0) return base
  const isWindows = program.maps.some(({ platform }) => platform === 0 || platform === 3)
  const isMacintosh = program.maps.some(({ platform }) => platform === 1)
  if (base === 'WinAnsiEncoding' && !isWindows) return isMacintosh ? 'MacRomanEncoding' : undefined
  if (base === 'MacRomanEncoding' && !isMacintosh) return isWindows ? 'WinAnsiEncoding' : undefined
  return base
}

/** As Poppler does. */
export function readAsPoppler(font: SimpleFont): GlyphReading {
  const { unicode, macintosh, symbol } = findLastMaps(font)
  const { isSymbolic, base } = font
  if (!hasEncoding(font)) return readCodes(font, symbol ?? macintosh)
  if (unicode !== undefined) return readNames(font, unicode, 'unicode')
  if (base === 'MacRomanEncoding' && macintosh !== undefined) return readNames(font, macintosh, 'macintosh')
  if (isSymbolic && (symbol ?? macintosh) !== undefined) return readCodes(font, symbol ?? macintosh)
  return macintosh === undefined ? readCodes(font, undefined) : readNames(font, macintosh, 'macintosh')
}

/** As the standard has it, and readers that follow it; a font that is both or neither counts as not symbolic. */
export function readAsStandard(font: SimpleFont): GlyphReading {
  const { unicode, macintosh, symbol } = findLastMaps(font)
  if (font.base === 'MacRomanEncoding' && macintosh !== undefined) return readNames(font, macintosh, 'macintosh')
  if (!font.isSymbolic && unicode !== undefined) return readNames(font, unicode, 'unicode')
  if (!font.isSymbolic && macintosh !== undefined) return readNames(font, macintosh, 'macintosh')
  return readCodes(font, symbol ?? unicode ?? macintosh)
}

/** As readers that take fonts for symbols by their map for Macintosh first. */
export function readAsMacintosh(font: SimpleFont): GlyphReading {
  const { macintosh } = findLastMaps(font)
  return font.isSymbolic && macintosh !== undefined ? readCodes(font, macintosh) : readAsStandard(font)
}

const hasEncoding = ({ base, differences }: SimpleFont): boolean => base !== undefined || differences !== undefined

function findLastMaps({
  program: { maps },
}: SimpleFont): Record<'unicode' | 'macintosh' | 'symbol', CharacterMap | undefined> {
  return {
    unicode: maps.findLast(({ platform, encoding }) => platform === 0 || (platform === 3 && encoding === 1)),
    macintosh: maps.findLast(({ platform, encoding }) => platform === 1 && encoding === 0),
    symbol: maps.findLast(({ platform, encoding }) => platform === 3 && encoding === 0),
  }
}

const nameForPoppler = (font: SimpleFont, code: number): string =>
  font.differences?.get(code) ?? (font.base === undefined ? WinAnsiEncoding : listNames(font))[code] ?? ''

function readNames(font: SimpleFont, map: CharacterMap, kind: 'unicode' | 'macintosh'): GlyphReading {
  return readEach((code) => {
    const name = nameForPoppler(font, code)
    const found = kind === 'macintosh' ? findByMacintosh(map, name) : findByName(font, map, name, code)
    const meant = kind === 'unicode' && name === '' ? findMeant(font, map, code) : 0
    return found || meant || findNamed(font, name)
  })
}

function readCodes(font: SimpleFont, chosen: CharacterMap | undefined): GlyphReading {
  const map = chosen ?? font.program.maps[0]
  return readEach((code) => map?.find(code) || map?.find(0xf000 + code) || findNamed(font, nameForPoppler(font, code)))
}
