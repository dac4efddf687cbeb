import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** hb_subset_flags_t: no hinting, glyph ids kept, no closure over layout tables (text is shaped already). */
const FLAGS = 0x01 | 0x02 | 0x200
/** hb_subset_sets_t: tables to leave out. */
const DROP_TABLE_TAGS = 3
/** hb_memory_mode_t: the bytes stay ours and unchanged. */
const READ_ONLY = 1
/** A PDF viewer needs only outlines and widths (ISO 32000-2 section 9.9). */
const UNUSED_TABLES = [
  'GSUB',
  'GPOS',
  'GDEF',
  'STAT',
  'DSIG',
  'kern',
  'vhea',
  'vmtx',
  'BASE',
  'name',
  'post',
  'OS/2',
  'cmap',
]

const readTag = (tag: string): number => Buffer.from(tag, 'latin1').readInt32BE(0)
const WEIGHT_AXIS = readTag('wght')

type SubsetModule = Record<string, (...args: number[]) => number> & { memory: WebAssembly.Memory }

let module: SubsetModule | undefined

/** The package ships this WebAssembly module without a wrapper. */
function loadSubsetModule(): SubsetModule {
  if (module !== undefined) return module
  const path = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(readFileSync(path))), {
    env: {},
    wasi_snapshot_preview1: {},
  })
  module = instance.exports as unknown as SubsetModule
  return module
}

/**
 * A font file with the outlines of these glyphs alone, under their old numbers; glyph 0 is always there and empty.
 * @param weight Where a variable font is pinned on its wght axis; what is left is a static one.
 */
export function subsetFont(font: Uint8Array, glyphs: Iterable<number>, weight?: number): Uint8Array {
  const hb = loadSubsetModule()
  const call = (name: string, ...args: number[]): number => {
    const result = hb[name]?.(...args)
    return result ?? 0
  }
  const memory = (): Uint8Array => new Uint8Array(hb.memory.buffer)
  const source = call('malloc', font.length)
  memory().set(font, source)
  const blob = call('hb_blob_create', source, font.length, READ_ONLY, 0, 0)
  const face = call('hb_face_create', blob, 0)
  call('hb_blob_destroy', blob)
  const input = call('hb_subset_input_create_or_fail')
  const wanted = call('hb_subset_input_glyph_set', input)
  call('hb_set_add', wanted, 0)
  for (const glyph of glyphs) call('hb_set_add', wanted, glyph)
  call('hb_subset_input_set_flags', input, FLAGS)
  const dropped = call('hb_subset_input_set', input, DROP_TABLE_TAGS)
  for (const tag of UNUSED_TABLES) call('hb_set_add', dropped, readTag(tag))
  if (weight !== undefined) call('hb_subset_input_pin_axis_location', input, face, WEIGHT_AXIS, weight)
  const subset = call('hb_subset_or_fail', face, input)
  call('hb_subset_input_destroy', input)
  call('hb_face_destroy', face)
  if (subset === 0) {
    call('free', source)
    throw new Error('a font could not be subset')
  }
  const result = call('hb_face_reference_blob', subset)
  const start = call('hb_blob_get_data', result, 0)
  const bytes = memory().slice(start, start + call('hb_blob_get_length', result))
  call('hb_blob_destroy', result)
  call('hb_face_destroy', subset)
  call('free', source)
  return bytes
}
