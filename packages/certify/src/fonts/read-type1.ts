import { refuseProgram } from './compact-tables.ts'
import { decryptGlyph, decryptType1 } from './decrypt-type1.ts'

/** A program of Type 1 (Adobe Type 1 Font Format). */
export interface Type1Font {
  glyphs: readonly Type1Glyph[]
  subroutines: readonly (Buffer | undefined)[]
  /** Names of glyphs by code; those of the standard encoding when undefined. */
  codes: ReadonlyMap<number, string> | undefined
  /** It says once which. */
  hasPlainCodes: boolean
  matrix: readonly number[]
  /** Where what is encrypted begins, what it says, how much stands before each glyph, and the word that does. */
  secret: { start: number; text: Buffer; random: number; word: string }
}

export interface Type1Glyph {
  name: string
  code: Buffer
  /** Within the text of what was encrypted: from its name to its last byte. */
  from: number
  to: number
}

const HEADS = /^%!(?:PS-AdobeFont|FontType)/
const BEGIN = /currentfile\s+eexec[\r\n \t]/g
/** What must not stand in the head. */
const ELSEWHERE = /\/(?:CharStrings|Subrs|Private|lenIV)(?![\w.-])|\b(?:Blend|WeightVector)\b/
const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`
const MATRIX = new RegExp(String.raw`/FontMatrix\s*[[{]((?:\s*${NUMBER}){6})\s*[\]}]`)
/** Within a text the sign for them means nothing. */
const COMMENTS = /^[^(\r\n%]*(%[^\r\n]*)/gm
const STANDARD = /^\/Encoding\s+StandardEncoding\s+(?:readonly\s+)?def\b/
const OWN =
  /^\/Encoding\s+256\s+array\s*(?:0\s+1\s+255\s*\{\s*1\s+index\s+exch\s*\/\.notdef\s+put\s*\}\s*(?:bind\s+)?for\s*)?((?:dup\s+\d{1,3}\s*\/\S+\s+put\s*)*)(?:readonly\s+)?def\b/
const CODED = /dup\s+(\d{1,3})\s*\/(\S+)\s+put/g

/** @throws Refusal `unreadable` where readers would not read it alike. */
export function readType1(program: Buffer): Type1Font {
  const text = program.toString('latin1')
  if (!HEADS.test(text)) refuseProgram('another head than it must have')
  const begin = [...text.matchAll(BEGIN)][0]
  if (begin === undefined || text.indexOf('eexec') !== begin.index + begin[0].indexOf('eexec'))
    refuseProgram('no beginning of what is encrypted')
  const head = text
    .slice(0, begin.index)
    .replaceAll(COMMENTS, (line, comment: string) => line.slice(0, -comment.length))
  if (ELSEWHERE.test(head)) refuseProgram('glyphs before what is encrypted')
  if (head.split('/FontMatrix').length !== 2) refuseProgram('a size that is given twice')
  const matrix = MATRIX.exec(head)?.[1]?.trim().split(/\s+/).map(Number) ?? refuseProgram('a size that is none')
  const secret = decryptType1(program)
  const { random, word, ...read } = readSecret(secret)
  return {
    ...read,
    ...readCodes(head),
    matrix,
    secret: { start: begin.index + begin[0].length, text: secret, random, word },
  }
}

/** Of several the last counts for the reviewer's reader. */
function readCodes(head: string): Pick<Type1Font, 'codes' | 'hasPlainCodes'> {
  const all = head.split(/(?=\/Encoding(?![\w.-]))/).slice(1)
  if (all.length === 0 || all.some((text) => !STANDARD.test(text) && !OWN.test(text)))
    refuseProgram('an encoding that readers may not find')
  const hasPlainCodes = all.length === 1
  if (STANDARD.test(all.at(-1)!)) return { codes: undefined, hasPlainCodes }
  const list = OWN.exec(all.at(-1)!)![1]!
  const codes = new Map<number, string>()
  for (const [, code, name] of list.matchAll(CODED)) {
    if (codes.has(Number(code)) && codes.get(Number(code)) !== name) refuseProgram('a code that two glyphs have')
    codes.set(Number(code), name!)
  }
  return { codes, hasPlainCodes }
}

const LIST = /\/(CharStrings|Subrs|lenIV)(?![\w.-])/g
const SUBROUTINES = /\s*(\d+)\s+array\s*/y
const SUBROUTINE = /\s*dup\s+(\d+)\s+(\d+)\s+\S+ /y
const GLYPHS = /\s*(\d+)\s+dict\s+dup\s+begin\s*/y
const GLYPH = /\s*\/(\S+)\s+(\d+)\s+(\S+) /y
const BEHIND = /\s*(?:noaccess\s+(?:put|def)|[^\s/]+)(?=\s)/y
const LIST_END = /\s*end\b/y

/** What was encrypted: data stand in it behind their length. */
function readSecret(
  secret: Buffer,
): Pick<Type1Font, 'glyphs' | 'subroutines'> & Omit<Type1Font['secret'], 'start' | 'text'> {
  const text = secret.toString('latin1')
  let random = 4
  let word = ''
  const seen = new Set<string>()
  const subroutines: (Buffer | undefined)[] = []
  const glyphs: Type1Glyph[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const read = (length: number): Buffer => {
    if (at + length > secret.length) refuseProgram('glyphs that are cut off')
    at += length
    return decryptGlyph(secret.subarray(at - length, at), random)
  }
  for (let list = match(LIST); list !== null; list = match(LIST)) {
    const kind = list[1]!
    if (seen.has(kind) || (kind === 'lenIV' && seen.size > 0)) refuseProgram('an entry that is given twice')
    seen.add(kind)
    if (kind === 'lenIV') random = Number(match(/\s+(\d)\s/y)?.[1] ?? refuseProgram('glyphs that are not encrypted'))
    else if (kind === 'Subrs') {
      if (match(SUBROUTINES) === null) refuseProgram('subroutines that readers may not find')
      for (let found = match(SUBROUTINE); found !== null; found = match(SUBROUTINE)) {
        subroutines[Number(found[1])] = read(Number(found[2]))
        if (match(BEHIND) === null) refuseProgram('subroutines that readers may not find')
      }
    } else {
      const count = Number(match(GLYPHS)?.[1] ?? refuseProgram('glyphs that readers may not find'))
      for (let from = at, found = match(GLYPH); found !== null; from = at, found = match(GLYPH)) {
        word = found[3]!
        glyphs.push({ name: found[1]!, code: read(Number(found[2])), from, to: at })
        if (match(BEHIND) === null) refuseProgram('glyphs that readers may not find')
      }
      if (match(LIST_END) === null || glyphs.length > count) refuseProgram('glyphs that readers may not find')
    }
  }
  if (glyphs.length === 0) refuseProgram('no glyphs')
  return { glyphs, subroutines, random, word }
}
