import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import type { PdfObject } from './object-store.ts'
import { resolveIn } from './resolve-in.ts'

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
  /** Something that the tree names cannot be read. */
  isIncomplete: boolean
  /** Why readers would not agree on how many pages there are, or which. Undefined when they do. */
  fault: string | undefined
}

interface Branch {
  /** How many pages it says are below it; undefined when it does not say so by a whole number. */
  declared: number | undefined
  found: number
}

interface Visit {
  node: PdfObject
  inherited: Map<string, PdfObject>
  /** References from the root to here, to see a loop. */
  path: readonly string[]
  above: readonly Branch[]
}

/**
 * The pages in order, as most readers find them: what has /Kids is a branch, what has none a page, whatever /Type says. Some
 * readers count pages by walking the tree, others believe what its branches say; a tree in which that differs has a fault.
 * @param mostPages One page more is still listed, so that the caller can tell.
 * @throws Refusal `unreadable` when the tree has more branches than anybody needs.
 */
export function listPages(source: PDF, mostPages: number): ListedPages {
  const resolve = resolveIn(source)
  const root = source.getCatalog().get('Pages')
  const pages: SourcePage[] = []
  const branches: Branch[] = []
  /** With the branch that named it, by the list of branches down to there. */
  const named = new Map<string, readonly string[]>()
  let fault: string | undefined
  let isIncomplete = false
  const waiting: Visit[] = root === undefined ? [] : [{ node: root, inherited: new Map(), path: [], above: [] }]
  let nodes = 0
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    if (pages.length > mostPages) break
    nodes += 1
    if (nodes > MOST_NODES) throw new Refusal('unreadable', 'a page tree with too many branches')
    const dict = resolve(visit.node)
    if (!(dict instanceof PdfDict) || dict instanceof PdfStream) {
      if (dict === undefined || dict === null) isIncomplete = true
      fault ??= 'the page tree names what is no page'
      continue
    }
    const ref = visit.node instanceof PdfRef ? visit.node : undefined
    const key = ref === undefined ? '' : `${ref.objectNumber} ${ref.generation}`
    const kids = resolve(dict.get('Kids'))
    // who takes pages out of a file may leave branches without any; one that says so and lies is a fault by its count
    const isEmpty = kids instanceof PdfArray && readCount(resolve(dict.get('Count'))) === 0
    const before = key === '' ? undefined : named.get(key)
    named.set(key, visit.path)
    const type = resolve(dict.get('Type'))
    if (!(kids instanceof PdfArray)) {
      if (isNamed(type, 'Pages')) {
        fault ??= 'a branch of the page tree without kids'
        continue
      }
      // from another branch it may take other things
      if (before !== undefined && before !== visit.path) fault ??= 'a page in two branches of the page tree'
      fault ??= findPageFault(dict, resolve)
      pages.push({ dict, ref, inherited: visit.inherited })
      for (const branch of visit.above) branch.found += 1
      continue
    }
    if (isNamed(type, 'Page')) fault ??= 'a branch of the page tree that says it is a page'
    if (before !== undefined && !isEmpty) fault ??= 'the page tree names a branch twice'
    // a branch that contains itself leads nowhere
    if ((key !== '' && visit.path.includes(key)) || visit.path.length > MOST_LEVELS) continue
    const inherited = new Map(visit.inherited)
    for (const entry of INHERITED) {
      const value = dict.get(entry)
      if (value !== undefined) inherited.set(entry, value)
    }
    const branch = { declared: readCount(resolve(dict.get('Count'))), found: 0 }
    branches.push(branch)
    const [path, above] = [
      [...visit.path, key],
      [...visit.above, branch],
    ]
    waiting.push(...[...kids].toReversed().map((node) => ({ node, inherited, path, above })))
  }
  if (branches.some(({ declared, found }) => declared !== undefined && declared !== found))
    fault ??= 'a page tree whose counts are not those of its pages'
  if (isLastPageLost(pages)) fault ??= 'a last page that is there before'
  return { pages, declared: branches[0]?.declared ?? 0, isIncomplete, fault }
}

/**
 * A page may be named twice, as programs do that repeat one: it is there twice. But the reviewer's reader looks for the last one
 * before all others but the first, and takes a page that it comes by twice on the way for a circle.
 */
function isLastPageLost(pages: readonly SourcePage[]): boolean {
  const last = pages.at(-1)
  if (last?.ref === undefined) return false
  const first = pages.findIndex(({ dict }) => dict === last.dict)
  return first > 0 && first < pages.length - 1
}

/** Only whole numbers are believed by readers. */
function readCount(count: PdfObject | null | undefined): number | undefined {
  return count instanceof PdfNumber && Number.isInteger(count.value) ? count.value : undefined
}

/** A page must say or show that it is one: an annotation or a font in the tree would be a blank page. */
function findPageFault(
  dict: PdfDict,
  resolve: (object: PdfObject | undefined) => PdfObject | null | undefined,
): string | undefined {
  if (dict.has('Kids')) return 'kids in the page tree that are no list'
  const count = readCount(resolve(dict.get('Count')))
  if (count !== undefined && count !== 1) return 'a page that says it is a branch'
  if (isNamed(resolve(dict.get('Type')), 'Page')) return undefined
  const contents = resolve(dict.get('Contents'))
  const isPage = contents instanceof PdfStream || contents instanceof PdfArray || dict.has('MediaBox')
  return isPage ? undefined : 'the page tree names what is no page'
}

function isNamed(object: PdfObject | null | undefined, name: string): boolean {
  return object instanceof PdfName && object.value === name
}
