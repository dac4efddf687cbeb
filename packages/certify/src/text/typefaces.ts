import { Blob, Face, Font, Variation } from 'harfbuzzjs'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Where each face lies, as static TrueType files of the font packages. */
const FILES = {
  serif: '@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf',
  sans: '@expo-google-fonts/instrument-sans/400Regular/InstrumentSans_400Regular.ttf',
  sansStrong: '@expo-google-fonts/instrument-sans/600SemiBold/InstrumentSans_600SemiBold.ttf',
  mono: '@expo-google-fonts/jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf',
  monoStrong: '@expo-google-fonts/jetbrains-mono/600SemiBold/JetBrainsMono_600SemiBold.ttf',
  noto: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  notoStrong: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  arabic: '@expo-google-fonts/vazirmatn/400Regular/Vazirmatn_400Regular.ttf',
  arabicStrong: '@expo-google-fonts/vazirmatn/600SemiBold/Vazirmatn_600SemiBold.ttf',
} as const

export type TypefaceName = keyof typeof FILES

/** A way of setting text: the first face that has a character sets it, the others stand in; then the faces of scripts. */
export const FALLBACK = {
  heading: ['serif', 'notoStrong', 'arabicStrong'],
  text: ['sans', 'noto', 'arabic'],
  strong: ['sansStrong', 'notoStrong', 'arabicStrong'],
  mono: ['mono', 'noto', 'arabic'],
  monoStrong: ['monoStrong', 'notoStrong', 'arabicStrong'],
} as const satisfies Record<string, readonly TypefaceName[]>

export type TextStyle = keyof typeof FALLBACK

/** Weight (OpenType axis wght) in which the variable faces of scripts stand beside each style. */
export const WEIGHT = { heading: 600, text: 400, strong: 600, mono: 400, monoStrong: 600 } as const satisfies Record<
  TextStyle,
  number
>

export interface Typeface {
  /** Letters and digits. Faces of one name are embedded as one font; they have the same units per em and weight. */
  name: string
  /** Where it was read from; with its weight it differs between all faces. */
  source: string
  bytes: Uint8Array
  font: Font
  /** Where a variable face is pinned on its wght axis; undefined for a static one. */
  weight: number | undefined
  unitsPerEm: number
  characters: ReadonlySet<number>
  /** In font units: from the head and hhea tables. */
  box: [number, number, number, number]
  ascent: number
  descent: number
}

const loaded = new Map<TypefaceName, Typeface>()

/** Read on first use and kept: a warm process sets its next certificate without touching the disk. */
export function loadTypeface(name: TypefaceName): Typeface {
  let typeface = loaded.get(name)
  if (typeface === undefined) {
    const bytes = new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(FILES[name])))
    typeface = makeTypeface({ name, source: name, bytes, opened: openFace(bytes), weight: undefined })
    loaded.set(name, typeface)
  }
  return typeface
}

/** What all weights of one font file share. */
export interface OpenedFace {
  face: Face
  characters: ReadonlySet<number>
}

export function openFace(bytes: Uint8Array): OpenedFace {
  const face = new Face(new Blob(bytes))
  return { face, characters: new Set(face.collectUnicodes()) }
}

/** A weight pins a variable face, so that the widths it is set with are those that it is embedded with. */
export function makeTypeface(
  from: Pick<Typeface, 'name' | 'source' | 'bytes' | 'weight'> & { opened: OpenedFace },
): Typeface {
  const { name, source, bytes, weight } = from
  const { face, characters } = from.opened
  const head = readTable(face, 'head')
  const hhea = readTable(face, 'hhea')
  const font = new Font(face)
  if (weight !== undefined) font.setVariations([new Variation('wght', weight)])
  return {
    name,
    source,
    bytes,
    font,
    weight,
    unitsPerEm: face.upem,
    characters,
    box: [head.getInt16(36), head.getInt16(38), head.getInt16(40), head.getInt16(42)],
    ascent: hhea.getInt16(4),
    descent: hhea.getInt16(6),
  }
}

function readTable(face: Face, tag: string): DataView {
  const table = face.referenceTable(tag)
  if (table === undefined) throw new Error(`a font without ${tag} table`)
  // a copy: the table lies in WebAssembly memory, which moves when it grows
  return new DataView(table.slice().buffer)
}
