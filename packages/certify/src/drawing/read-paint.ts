import { PdfArray, PdfBool, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { countComponents } from '../copying/count-components.ts'
import { readPalette } from '../copying/read-palette.ts'
import { hasLines } from './has-lines.ts'
import { isBlankStencil } from './blank-stencil.ts'
import { type ObjectStore, type PdfObject, readNumber, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { type Opacity, readOpacity } from './read-opacity.ts'

/** A space of colours as far as operators must fit it (ISO 32000-2 section 8.6). */
export interface Space {
  kind: 'plain' | 'palette' | 'pattern'
  /** How many numbers a colour has; of a pattern those of what it is painted with, 0 for its own colours. Undefined where it cannot be told. */
  components: number | undefined
  /** The last number that a palette has a colour for. */
  last?: number
  /** A pattern of tiles is chosen in it. */
  isTile?: boolean
  /** That was chosen before the form began. */
  isFromOutside?: boolean
}

/** An image without colours of its own. */
export interface Stencil {
  /** It paints nothing. */
  isBlank: () => boolean
  /** It is one. */
  isPixel: boolean
}

/** What content can name. */
export interface Paint {
  spaces: ReadonlyMap<string, Space>
  /** Tiles and gradients, and whether they bring colours of their own. */
  patterns: ReadonlyMap<string, 'own colours' | 'no colours'>
  /** Those of them that are tiles; undefined for what none can be drawn of. */
  tiles: ReadonlyMap<string, PdfStream | undefined>
  forms: ReadonlyMap<string, PdfStream>
  stencils: ReadonlyMap<string, Stencil>
  /** Images with colours of their own. */
  images: ReadonlySet<string>
  /** Names of fonts; undefined where it is not known which there are. */
  fonts: ReadonlySet<string> | undefined
  /** Fonts that draw their letters by operators. */
  drawnFonts: ReadonlyMap<string, PdfDict>
  /** Whether letters of such a font have lines that take their colour from the text. */
  hasLines: (font: string) => boolean
  /** Of graphics states that set dashes: the sum of their lengths. */
  dashes: ReadonlyMap<string, number>
  /** What graphics states say of opacity. */
  opacities: ReadonlyMap<string, Partial<Opacity>>
  /** Of graphics states that set one, or that none is: what a mask is drawn by. */
  masks: ReadonlyMap<string, PdfStream | undefined>
  /** Gradients that an operator draws. */
  shadings: ReadonlySet<string>
  /** What marks in content refer to. */
  properties: ReadonlySet<string>
}

export const NO_PAINT: Paint = {
  spaces: new Map(),
  patterns: new Map(),
  tiles: new Map(),
  forms: new Map(),
  stencils: new Map(),
  images: new Set(),
  fonts: undefined,
  drawnFonts: new Map(),
  hasLines: () => false,
  dashes: new Map(),
  opacities: new Map(),
  masks: new Map(),
  shadings: new Set(),
  properties: new Set(),
}

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

export function readPaint(store: ObjectStore, resources: PdfObject | undefined): Paint {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const lists = resolve(resources)
  if (!(lists instanceof PdfDict)) return { ...NO_PAINT, fonts: new Set() }
  const spaces = new Map<string, Space>()
  for (const [name, space] of listEntries(lists, 'ColorSpace', resolve)) spaces.set(name, readSpace(store, space))
  const patterns = new Map<string, 'own colours' | 'no colours'>()
  const tiles = new Map<string, PdfStream | undefined>()
  for (const [name, pattern] of listEntries(lists, 'Pattern', resolve)) {
    const kind = pattern instanceof PdfDict ? readNumber(pattern.get('PatternType'), resolve) : undefined
    const isPlain = pattern instanceof PdfDict && readNumber(pattern.get('PaintType'), resolve) === 2
    if ((kind === 1 && pattern instanceof PdfStream) || kind === 2)
      patterns.set(name, kind === 1 && isPlain ? 'no colours' : 'own colours')
    if (kind === 1) tiles.set(name, toStream(pattern))
  }
  const [forms, stencils] = [new Map<string, PdfStream>(), new Map<string, Stencil>()]
  const images = new Set<string>()
  for (const [name, object] of listEntries(lists, 'XObject', resolve)) {
    if (!(object instanceof PdfStream)) continue
    const [kind, mask] = [resolve(object.get('Subtype')), resolve(object.get('ImageMask'))]
    if (kind instanceof PdfName && kind.value === 'Form') forms.set(name, object)
    else if (mask instanceof PdfBool && mask.value)
      stencils.set(name, { isBlank: () => isBlankStencil(store, object), isPixel: isPixel(object, resolve) })
    else if (kind instanceof PdfName && kind.value === 'Image') images.add(name)
  }
  const drawnFonts = new Map<string, PdfDict>()
  const fonts = new Set<string>()
  for (const [name, font] of listEntries(lists, 'Font', resolve)) {
    if (font instanceof PdfDict && !(font instanceof PdfStream)) fonts.add(name)
    if (font instanceof PdfDict && font.has('CharProcs')) drawnFonts.set(name, font)
  }
  const [dashes, opacities] = [new Map<string, number>(), new Map<string, Partial<Opacity>>()]
  const masks = new Map<string, PdfStream | undefined>()
  for (const [name, state] of listEntries(lists, 'ExtGState', resolve)) {
    if (!(state instanceof PdfDict)) continue
    opacities.set(name, readOpacity(state, resolve))
    const mask = resolve(state.get('SMask'))
    if (mask !== undefined) masks.set(name, mask instanceof PdfDict ? toStream(resolve(mask.get('G'))) : undefined)
    const set = resolve(state.get('D'))
    const lengths = set instanceof PdfArray ? readNumbers(set.at(0), resolve) : undefined
    if (lengths !== undefined)
      dashes.set(
        name,
        lengths.reduce((sum, length) => sum + length, 0),
      )
  }
  const shadings = listNames(lists, 'Shading', resolve)
  const properties = listNames(lists, 'Properties', resolve)
  return {
    spaces,
    patterns,
    tiles,
    forms,
    stencils,
    images,
    fonts,
    drawnFonts,
    hasLines: (name) => hasLines(store, drawnFonts.get(name)),
    dashes,
    opacities,
    masks,
    shadings,
    properties,
  }
}

const toStream = (object: PdfObject | undefined): PdfStream | undefined =>
  object instanceof PdfStream ? object : undefined

const isPixel = (image: PdfStream, resolve: Resolve): boolean =>
  ['Width', 'Height'].every((key) => readNumber(image.get(key), resolve) === 1)

function listEntries(lists: PdfDict, key: string, resolve: Resolve): [string, PdfObject | undefined][] {
  const list = resolve(lists.get(key))
  return list instanceof PdfDict ? [...list].map(([name, value]) => [name.value, resolve(value)]) : []
}

const listNames = (lists: PdfDict, key: string, resolve: Resolve): Set<string> =>
  new Set(listEntries(lists, key, resolve).flatMap(([name, value]) => (value instanceof PdfDict ? [name] : [])))

function readSpace(store: ObjectStore, space: PdfObject | undefined): Space {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const name = space instanceof PdfArray ? resolve(space.at(0)) : space
  const label = name instanceof PdfName ? name.value : ''
  const base = space instanceof PdfArray ? resolve(space.at(1)) : undefined
  if (label === 'Pattern')
    return { kind: 'pattern', components: base === undefined ? 0 : countComponents(base, resolve) }
  if (label !== 'Indexed') return { kind: 'plain', components: countComponents(space, resolve) }
  const palette = readPalette(store, space)
  if (palette === undefined) return { kind: 'palette', components: 1, last: -1 }
  const count = Math.floor(palette.colours.length / palette.components)
  return { kind: 'palette', components: 1, last: Math.min(palette.last, count - 1) }
}
