import { PdfArray, PdfDict, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import {
  makeStream,
  numberOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  readNumber,
  readNumbers,
  resolveObject,
} from '../pdf/object-store.ts'
import { arePlainPatches } from './check-patches.ts'
import { between, LIKE, measureDistance } from './compare-colours.ts'
import { countComponents } from './count-components.ts'
import type { ColourFunction } from './colour-function.ts'
import { readFunction } from './evaluate-function.ts'
import { measureMesh, paintBehindMesh } from './paint-behind-mesh.ts'
import { listCells, type Mesh, type MeshKind, readMesh } from './read-mesh.ts'
import { isInk, isPalette } from './read-space-name.ts'
import { writeMesh } from './write-mesh.ts'

const KINDS = [4, 5, 6, 7]
/** Of its longer side: a mesh that is flatter has no area. */
const FLAT = 1e-4
/** Between which colours of a cell are looked at. */
const SHARES = [0.25, 0.5, 0.75]
const WRITTEN_ANEW = ['Function', 'Background', 'Filter', 'DecodeParms', 'Length']

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Looks at gradients between the corners of triangles and patches. Where a function makes their colours, the reviewer’s reader asks it at the
 * corners and mixes what it says, and others mix what they ask it for: the corners get those colours themselves.
 * @throws Refusal `unreadable` where one is not whole: readers make up what is missing.
 */
export function settleMeshes(store: ObjectStore, shadings: readonly PdfDict[]): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const plain = new Map<PdfDict, PdfStream>()
  for (const shading of shadings) {
    const kind = readNumber(shading.get('ShadingType'), resolve) ?? 0
    if (!KINDS.includes(kind)) continue
    const settled = settleMesh(store, shading, kind as MeshKind)
    if (settled !== undefined) plain.set(shading, settled)
  }
  if (plain.size === 0) return
  for (const [number, object] of store.objects.entries())
    if (object instanceof PdfStream && plain.has(object)) store.objects[number] = plain.get(object)!
}

/**
 * A background as far as the mesh goes, which is as far as the reviewer’s reader paints it; others go on beyond.
 * @returns undefined where there is none.
 * @throws Refusal `unreadable` where it cannot be a part of the mesh.
 */
export function settleBackground(store: ObjectStore, gradient: PdfDict): PdfDict | undefined {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const kind = readNumber(gradient.get('ShadingType'), resolve) ?? 0
  if (!KINDS.includes(kind) || !(gradient instanceof PdfStream) || !gradient.has('Background')) return undefined
  const colour = readNumbers(gradient.get('Background'), resolve) ?? []
  const mesh = readMesh(store, gradient, kind as MeshKind, colour.length)
  const settled = mesh && paintBehindMesh(mesh, colour)
  if (settled === undefined) throw new Disagreement('a mesh of colours with a background that readers end elsewhere')
  return writeAnew(gradient, settled)
}

/** @returns it without its function, undefined where it has none. */
function settleMesh(store: ObjectStore, shading: PdfDict, kind: MeshKind): PdfStream | undefined {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const space = resolve(shading.get('ColorSpace'))
  const components = countComponents(space, resolve)
  const isAsked = shading.has('Function')
  const mesh =
    shading instanceof PdfStream && components !== undefined && !isPalette(space, resolve)
      ? readMesh(store, shading, kind, isAsked ? 1 : components)
      : undefined
  if (mesh === undefined || !hasArea(mesh))
    throw new Disagreement('a mesh of colours without what readers need, which each makes up otherwise')
  if (!arePlainPatches(mesh)) throw new Disagreement('patches of colours that readers shape otherwise')
  if (isAsked) askFunction(mesh, readAsked(store, shading, mesh, components!))
  const ink = isInk(space, resolve) ? readFunction(store, (space as PdfArray).at(3)) : undefined
  if (ink !== undefined && [...listCells(mesh)].some((cell) => isBent(cell, ink)))
    throw new Disagreement('a mesh of inks that readers mix before or after they become colours')
  if (!isAsked) return undefined
  const settled = writeAnew(shading as PdfStream, mesh)
  if (shading.has('Background')) settled.set('Background', shading.get('Background')!)
  return settled
}

function hasArea(mesh: Mesh): boolean {
  const [left, foot, right, head] = measureMesh(mesh)
  return Math.min(right - left, head - foot) > FLAT * Math.max(right - left, head - foot)
}

function readAsked(store: ObjectStore, shading: PdfDict, { decode }: Mesh, components: number): ColourFunction {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const made = resolve(shading.get('Function'))
  const asked = readFunction(store, made)
  const [least, most] = [Math.min(decode[4]!, decode[5]!), Math.max(decode[4]!, decode[5]!)]
  const knows = (part: PdfObject | undefined): boolean => {
    const dict = resolve(part)
    const domain = dict instanceof PdfDict ? readNumbers(dict.get('Domain'), resolve) : undefined
    return domain?.length === 2 && domain[0]! <= least && domain[1]! >= most
  }
  const isWhole = (made instanceof PdfArray ? [...made] : [made]).every(knows)
  if (asked === undefined || !isWhole || asked.evaluate([least]).length !== components)
    throw new Disagreement('a mesh of colours whose function does not know them')
  return asked
}

function askFunction(mesh: Mesh, { evaluate }: ColourFunction): void {
  for (const entry of mesh.entries) entry.colours = entry.colours.map((colour) => [...evaluate(colour)])
}

/** Whether the colours of inks within a cell depart from a straight line between those of its corners. */
function isBent(cell: readonly (readonly number[])[], { evaluate }: ColourFunction): boolean {
  const asked = cell.map((corner) => evaluate(corner))
  return cell.some((corner, i) => {
    const next = (i + 1) % cell.length
    if (measureDistance(corner, cell[next]!) === 0) return false
    return SHARES.some((share) => {
      const mixed = between(asked[i]!, asked[next]!, share)
      return measureDistance(evaluate(between(corner, cell[next]!, share)), mixed) > LIKE
    })
  })
}

function writeAnew(shading: PdfStream, mesh: Mesh): PdfStream {
  const { data, decode, coordinateBits, componentBits } = writeMesh(mesh)
  const copy = makeStream({}, data)
  for (const [key, value] of shading) if (!WRITTEN_ANEW.includes(key.value)) copy.set(key.value, value)
  copy.set('Decode', numbersOf(decode))
  copy.set('BitsPerCoordinate', numberOf(coordinateBits))
  copy.set('BitsPerComponent', numberOf(componentBits))
  if (mesh.kind !== 5) copy.set('BitsPerFlag', numberOf(8))
  return copy
}
