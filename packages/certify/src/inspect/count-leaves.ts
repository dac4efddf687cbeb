import { PDF, PdfArray, PdfDict, PdfRef } from '@libpdf/core'

/** Deeper trees have been refused by the parser before. */
const MAX_LEVELS = 200

/**
 * Pages of the tree, those counted again that it holds several times: other readers show them so often, the parser once.
 * Takes time by the number of nodes, not of pages. Branches that lead back to themselves count for nothing.
 */
export function countLeaves(pdf: PDF): number {
  const known = new Map<string, number>()
  const count = (object: unknown, level: number): number => {
    const key = object instanceof PdfRef ? `${object.objectNumber} ${object.generation}` : undefined
    const before = key === undefined ? undefined : known.get(key)
    if (before !== undefined) return before
    if (key !== undefined) known.set(key, 0)
    const node = object instanceof PdfRef ? pdf.getObject(object) : object
    const kids = node instanceof PdfDict ? node.getArray('Kids', (ref) => pdf.getObject(ref)) : undefined
    let leaves = node instanceof PdfDict && kids === undefined ? 1 : 0
    if (kids instanceof PdfArray && level < MAX_LEVELS) for (const kid of kids) leaves += count(kid, level + 1)
    if (key !== undefined) known.set(key, leaves)
    return leaves
  }
  return count(pdf.getCatalog().get('Pages'), 0)
}
