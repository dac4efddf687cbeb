import { type PDF, PdfArray, PdfDict, PdfStream } from '@libpdf/core'
import { readOperators } from '../layers/content-operators.ts'
import type { SourcePage } from '../pdf/list-pages.ts'
import { type PdfObject, readNumber } from '../pdf/object-store.ts'
import { type Resolve, resolveIn } from '../pdf/resolve-in.ts'
import { isBroken } from '../pdf/settle-content.ts'

/** What must be known of a page that is drawn by another reader. */
export interface PictureSource {
  /** Whether it holds letters, images, areas or marks: then something must be seen of it. */
  holdsSomething: boolean
  /** A part of its content has a fault within its data, behind which Chrome shows nothing. */
  isBroken: boolean
  /** Points to a unit of it, of which Chrome knows nothing (ISO 32000-2 table 31, /UserUnit). */
  unit: number
}

/** Others are none: of the largest page that makes half a kilometre. */
const [LEAST_UNIT, MOST_UNIT] = [0.1, 100]
/** Operators that show something where they are not covered, without any resources (ISO 32000-2 annex A). */
const PAINTS = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'BI'])

export function readSourcePages(pdf: PDF, pages: readonly SourcePage[]): PictureSource[] {
  const resolve = resolveIn(pdf)
  return pages.map(({ dict, inherited }) => {
    const content = listContent(resolve, dict.get('Contents'))
    const unit = readNumber(dict.get('UserUnit'), (object) => resolve(object) ?? undefined) ?? 1
    const resources = resolve(dict.get('Resources') ?? inherited.get('Resources'))
    const marks = resolve(dict.get('Annots'))
    const holdsSomething =
      (marks instanceof PdfArray && marks.length > 0) || namesSomething(resolve, resources) || paintsSomething(content)
    return {
      holdsSomething,
      isBroken: content.some(isBroken),
      unit: unit >= LEAST_UNIT && unit <= MOST_UNIT ? unit : 1,
    }
  })
}

function namesSomething(resolve: Resolve, resources: ReturnType<Resolve>): boolean {
  if (!(resources instanceof PdfDict)) return false
  return ['Font', 'XObject', 'Pattern', 'Shading'].some((key) => {
    const kind = resolve(resources.get(key))
    return kind instanceof PdfDict && [...kind.keys()].length > 0
  })
}

/** Images may stand among operators, and areas need no name. What cannot be unpacked may hold anything. */
function paintsSomething(content: readonly PdfStream[]): boolean {
  return content.some((stream) => {
    try {
      for (const { name } of readOperators(stream.getDecodedData())) if (PAINTS.has(name)) return true
      return false
    } catch {
      return true
    }
  })
}

/** The streams that the content of a page comes in. */
function listContent(resolve: Resolve, contents: PdfObject | undefined): PdfStream[] {
  const target = resolve(contents)
  if (target instanceof PdfArray) return [...target].flatMap((part) => listContent(resolve, part))
  return target instanceof PdfStream ? [target] : []
}
