import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import type { PdfObject } from './object-store.ts'

/** Entries that a page takes from its ancestors in the page tree (ISO 32000-2 table 31). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate']

/** Nodes of a page tree looked at, with pages: a tree may refer to the same branch again and again. */
const MOST_NODES = 100_000
const MOST_LEVELS = 200

export interface SourcePage {
  dict: PdfDict
  /** Undefined for a page that stands in the tree itself, without a number. */
  ref: PdfRef | undefined
  /** What the page itself does not say, by key. */
  inherited: Map<string, PdfObject>
}

export interface ListedPages {
  pages: SourcePage[]
  /** What the root of the tree claims; more than there are means that some cannot be read. */
  declared: number
}

interface Visit {
  node: PdfObject
  inherited: Map<string, PdfObject>
  /** References from the root to here, to see a loop. */
  path: readonly string[]
}

/**
 * The pages in order, as most readers find them: what has /Kids is a branch, what has none a page, whatever /Type says. A
 * page that the tree names twice is there twice.
 * @param mostPages One page more is still listed, so that the caller can tell.
 * @throws Refusal `unreadable` when the tree has more branches than anybody needs.
 */
export function listPages(source: PDF, mostPages: number): ListedPages {
  const resolve = (object: PdfObject | undefined): PdfObject | null | undefined => {
    let target: PdfObject | null | undefined = object
    for (let hops = 0; target instanceof PdfRef && hops < 32; hops++) target = source.getObject(target)
    return target
  }
  const root = source.getCatalog().get('Pages')
  const pages: SourcePage[] = []
  const waiting: Visit[] = root === undefined ? [] : [{ node: root, inherited: new Map(), path: [] }]
  let nodes = 0
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    if (pages.length > mostPages) break
    nodes += 1
    if (nodes > MOST_NODES) throw new Refusal('unreadable', 'a page tree with too many branches')
    const dict = resolve(visit.node)
    if (!(dict instanceof PdfDict)) continue
    const ref = visit.node instanceof PdfRef ? visit.node : undefined
    const kids = resolve(dict.get('Kids'))
    if (!(kids instanceof PdfArray)) {
      if (!isBranch(resolve(dict.get('Type')))) pages.push({ dict, ref, inherited: visit.inherited })
      continue
    }
    const key = ref === undefined ? '' : `${ref.objectNumber} ${ref.generation}`
    // a branch that contains itself leads nowhere
    if ((key !== '' && visit.path.includes(key)) || visit.path.length > MOST_LEVELS) continue
    const inherited = new Map(visit.inherited)
    for (const entry of INHERITED) {
      const value = dict.get(entry)
      if (value !== undefined) inherited.set(entry, value)
    }
    const path = [...visit.path, key]
    waiting.push(...[...kids].toReversed().map((node) => ({ node, inherited, path })))
  }
  const tree = resolve(root)
  const declared = tree instanceof PdfDict ? resolve(tree.get('Count')) : undefined
  return { pages, declared: declared instanceof PdfNumber ? declared.value : 0 }
}

function isBranch(type: PdfObject | null | undefined): boolean {
  return type instanceof PdfName && type.value === 'Pages'
}
