import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Faces of scripts that the static ones lack. Each is a variable font cut into slices, of which a text needs a few; the
 * package tells which characters are in which. Slices with Latin, Greek and Cyrillic are never used: the static faces
 * have those.
 */
const PACKAGES = {
  hebrew: { folder: 'noto-sans-hebrew', slices: /^hebrew$/ },
  devanagari: { folder: 'noto-sans-devanagari', slices: /^devanagari$/ },
  thai: { folder: 'noto-sans-thai', slices: /^thai$/ },
  sc: { folder: 'noto-sans-sc', slices: /^\[\d+\]$/ },
  jp: { folder: 'noto-sans-jp', slices: /^\[\d+\]$/ },
  kr: { folder: 'noto-sans-kr', slices: /^\[\d+\]$/ },
  emoji: { folder: 'noto-emoji', slices: /^\[\d+\]$/ },
} as const

export type Family = keyof typeof PACKAGES

/** One file of a family. */
export interface Slice {
  /** Differs between all slices. */
  name: string
  family: Family
  /** The font file, WOFF 2. */
  path: string
  /** First and last characters, in pairs, ascending. */
  ranges: Uint32Array
}

const require = createRequire(import.meta.url)
const families = new Map<Family, Slice[]>()

/** The slices that have all these characters, in the package's order. */
export function findSlices(family: Family, characters: readonly number[]): Slice[] {
  return listSlices(family).filter(({ ranges }) => characters.every((character) => isWithin(ranges, character)))
}

/** Read on first use: a few kilobytes for the small families, a hundred for the Chinese, Japanese and Korean ones. */
function listSlices(family: Family): Slice[] {
  let slices = families.get(family)
  if (slices === undefined) {
    const { folder, slices: wanted } = PACKAGES[family]
    const index = require.resolve(`@fontsource-variable/${folder}/unicode.json`)
    const entries = Object.entries(JSON.parse(readFileSync(index, 'utf8')) as Record<string, string>)
    slices = entries
      .filter(([key]) => wanted.test(key))
      .map(([key, text]) => {
        const part = key.replaceAll(/\W/g, '')
        const path = index.replace(/unicode\.json$/, `files/${folder}-${part}-wght-normal.woff2`)
        return { name: `${family} ${part}`, family, path, ranges: readRanges(text) }
      })
    families.set(family, slices)
  }
  return slices
}

/** `U+3042,U+3044-3046` as CSS writes it. */
function readRanges(text: string): Uint32Array {
  const pairs = text.split(',').map((part) => {
    const [first, last] = part.replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first!, 16), Number.parseInt(last ?? first!, 16)] as const
  })
  return Uint32Array.from(pairs.sort(([a], [b]) => a - b).flat())
}

function isWithin(ranges: Uint32Array, character: number): boolean {
  let low = 0
  let high = ranges.length / 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ranges[2 * middle]! > character) high = middle
    else if (ranges[2 * middle + 1]! < character) low = middle + 1
    else return true
  }
  return false
}
