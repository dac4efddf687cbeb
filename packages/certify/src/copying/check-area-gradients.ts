import { PdfArray, PdfDict } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { type ObjectStore, type PdfObject, readNumber, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { countComponents } from './count-components.ts'
import { isPalette } from './read-space-name.ts'
import { readFunction } from './evaluate-function.ts'

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Looks at gradients over an area, whose function tells the colour of each place (ISO 32000-2 table 78).
 * @throws Refusal `unreadable` where something is missing or the wrong way round.
 */
export function checkAreaGradients(store: ObjectStore, shadings: readonly PdfDict[]): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  for (const shading of shadings) {
    if (readNumber(shading.get('ShadingType'), resolve) !== 1) continue
    const space = resolve(shading.get('ColorSpace'))
    const made = resolve(shading.get('Function'))
    const domain = shading.has('Domain') ? readNumbers(shading.get('Domain'), resolve) : [0, 1, 0, 1]
    const needed = countComponents(space, resolve)
    const isWhole =
      domain?.length === 4 &&
      domain[0]! < domain[1]! &&
      domain[2]! < domain[3]! &&
      (made instanceof PdfArray ? [...made] : [made]).every((part) => isKnown(domain, resolve(part), resolve)) &&
      (!shading.has('Matrix') || readNumbers(shading.get('Matrix'), resolve)?.length === 6) &&
      !isPalette(space, resolve) &&
      (needed === undefined || readFunction(store, made)?.evaluate([domain[0]!, domain[2]!]).length === needed)
    if (!isWhole) throw new Disagreement('a gradient over an area that its function does not know')
  }
}

function isKnown(domain: readonly number[], made: PdfObject | undefined, resolve: Resolve): boolean {
  const own = made instanceof PdfDict ? readNumbers(made.get('Domain'), resolve) : undefined
  return own?.length === 4 && domain.every((value, i) => (i % 2 === 0 ? value >= own[i]! : value <= own[i]!))
}
