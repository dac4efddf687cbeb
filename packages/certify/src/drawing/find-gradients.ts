import { PdfDict, type PdfStream } from '@libpdf/core'
import { readOperators } from '../layers/content-operators.ts'
import { type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { type Matrix, mostScale, multiply, UNCHANGED } from '../pdf/simple-path.ts'
import type { Place } from './find-places.ts'
import { readMatrix } from './read-form.ts'

/** As in the content of a page. */
const MAX_CONTENT_BYTES = 128 << 20

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** @returns the gradients that content paints, each with how many points of a page its unit comes to be where it is largest. */
export function findGradients(store: ObjectStore, places: ReadonlyMap<PdfStream, Place>): Map<PdfDict, number> {
  const found = new Map<PdfDict, number>()
  const note = (gradient: PdfObject | undefined, scale: number): void => {
    if (gradient instanceof PdfDict) found.set(gradient, Math.max(scale, found.get(gradient) ?? 0))
  }
  const resolve: Resolve = (object) => resolveObject(store, object)
  for (const [stream, { resources, largest }] of places) {
    for (const pattern of listResources(resources, 'Pattern', resolve).values()) {
      if (!(pattern instanceof PdfDict) || readNumber(pattern.get('PatternType'), resolve) !== 2) continue
      note(resolve(pattern.get('Shading')), largest * mostScale(readMatrix(store, pattern, 'Matrix')))
    }
    const drawn = listResources(resources, 'Shading', resolve)
    if (drawn.size === 0) continue
    const content = decodeContent(store, stream, MAX_CONTENT_BYTES)
    for (const [name, scale] of content === undefined ? [] : measureDrawn(content))
      note(drawn.get(name), largest * scale)
  }
  return found
}

function listResources(
  resources: PdfObject | undefined,
  key: string,
  resolve: Resolve,
): Map<string, PdfObject | undefined> {
  const lists = resolve(resources)
  const list = lists instanceof PdfDict ? resolve(lists.get(key)) : undefined
  return new Map(list instanceof PdfDict ? [...list].map(([name, value]) => [name.value, resolve(value)]) : [])
}

/** By name, how large the unit of the content is where an operator draws it. */
function measureDrawn(content: Uint8Array): Map<string, number> {
  const scales = new Map<string, number>()
  const saved: Matrix[] = []
  let matrix = UNCHANGED
  for (const { name, operands } of readOperators(content)) {
    if (name === 'q') saved.push(matrix)
    else if (name === 'Q') matrix = saved.pop() ?? UNCHANGED
    else if (name === 'cm') matrix = multiply(operands.map(({ text }) => Number(text)) as unknown as Matrix, matrix)
    else if (name === 'sh') {
      const drawn = operands[0]?.text ?? ''
      scales.set(drawn, Math.max(mostScale(matrix), scales.get(drawn) ?? 0))
    }
  }
  return scales
}
