import { type Operator, readOperators } from '../layers/content-operators.ts'
import { isEnding } from '../pdf/simple-path.ts'
import { serializeNumber } from '../pdf/serialize-object.ts'
import { applyEdits, type Edit } from '../pdf/apply-edits.ts'

/** A part of a path, from where it begins. */
interface Part {
  x: number
  y: number
  /** The operators that make it, by their places in the content. */
  from: number
  to: number
  isDrawn: boolean
  /** All of it lies on one point. */
  isPoint: boolean
  /** It has come back to where it began. */
  isClosed: boolean
  /** The next part goes on from there. */
  isContinued: boolean
}

/** What does not close the last part, and draws the same. */
const WITHOUT_CLOSING: Record<string, string> = { s: 'S', b: 'B', 'b*': 'B*' }
const STROKING = new Set(['S', 'B', 'B*', ...Object.keys(WITHOUT_CLOSING)])
const OPERANDS_OF_LINES: Record<string, number> = { l: 2, c: 6, v: 4, y: 4 }

/** Shares of the larger coordinate. Readers keep 24 bits of each: what differs by less is the same to them. */
const SAME = 2 ** -20
const APART = 2 ** -18
/** In the unit of the content. */
const LEAST_APART = 1e-4

const NUMBER = String.raw`[-+.\d]+`
const BLANKS = String.raw`[\s\0]+`
/** The first two numbers behind the beginning of a part, or that nothing but its end is there. */
const BEGINNING = new RegExp(
  `(${NUMBER})${BLANKS}(${NUMBER})${BLANKS}m(?=${BLANKS}(?:(h|s|b\\*?)(?![^\\s\\0])|(${NUMBER})${BLANKS}(${NUMBER})))`,
  'g',
)
/** A part that goes on from where another was closed, and a comment, which may stand anywhere. */
const CONTINUATION = new RegExp(`(?:h|re)${BLANKS}${NUMBER}${BLANKS}${NUMBER}${BLANKS}(?![\\s\\0]|m[\\s\\0])|%`)
const POINT_RECTANGLE = new RegExp(
  `(${NUMBER})${BLANKS}(${NUMBER})${BLANKS}(${NUMBER})${BLANKS}(${NUMBER})${BLANKS}re`,
  'g',
)

/**
 * Lines without length are given one that nobody sees: the reviewer's reader shows nothing of the others, however wide they are, PDFium
 * their ends or as much as they are wide, and others a dot where ends are round (ISO 32000-2 section 8.5.3.2).
 * @returns undefined where there is none.
 */
export function lengthenPointLines(content: Buffer): Buffer | undefined {
  return mayHavePointLines(content.toString('latin1')) ? applyEdits(content, listEdits(content)) : undefined
}

function mayHavePointLines(content: string): boolean {
  if (CONTINUATION.test(content)) return true
  const isPoint = ([, x, y, end, toX, toY]: RegExpExecArray): boolean =>
    end !== undefined || isNear(Number(x), Number(y), Number(toX), Number(toY))
  if (content.matchAll(BEGINNING).some(isPoint)) return true
  return content
    .matchAll(POINT_RECTANGLE)
    .some(([, x, y, width, height]) =>
      isNear(Number(x), Number(y), Number(x) + Number(width), Number(y) + Number(height)),
    )
}

function* listEdits(content: Buffer): Generator<Edit> {
  let parts: Part[] = []
  for (const operator of readOperators(content)) {
    const { name, start, end } = operator
    if (isEnding(name)) {
      if (STROKING.has(name)) yield* editParts(parts, name, end)
      parts = []
    } else if (name === 'm' || name === 're') {
      const [x = Number.NaN, y = Number.NaN, width = 0, height = 0] = readFigures(operator)
      const isClosed = name === 're'
      const isPoint = isNear(x, y, x + width, y + height)
      parts.push({ x, y, from: start, to: end, isDrawn: isClosed, isPoint, isClosed, isContinued: false })
    } else if (name === 'h' || name in OPERANDS_OF_LINES) extendPart(parts, operator)
  }
}

const readFigures = ({ operands }: Operator): number[] => operands.map(({ text }) => Number(text))

function extendPart(parts: Part[], operator: Operator): void {
  const { name, start, end } = operator
  const last = parts.at(-1)
  if (last === undefined) return
  let part = last
  if (last.isClosed) {
    if (name === 'h') return
    last.isContinued = true
    part = { ...last, from: start, isDrawn: false, isPoint: true, isClosed: false, isContinued: false }
    parts.push(part)
  }
  part.to = end
  part.isDrawn = true
  part.isClosed = name === 'h'
  const figures = readFigures(operator)
  if (name !== 'h' && figures.length !== OPERANDS_OF_LINES[name]) part.isPoint = false
  for (let i = 0; i < figures.length; i += 2)
    if (!isNear(part.x, part.y, figures[i] ?? Number.NaN, figures[i + 1] ?? Number.NaN)) part.isPoint = false
}

function isNear(x: number, y: number, otherX: number, otherY: number): boolean {
  const same = SAME * Math.max(Math.abs(x), Math.abs(y))
  return Math.abs(otherX - x) <= same && Math.abs(otherY - y) <= same
}

/** @param end Of the operator that paints them. */
function* editParts(parts: readonly Part[], operator: string, end: number): Generator<Edit> {
  const isPointLine = ({ isDrawn, isPoint }: Part, isClosing: boolean): boolean => isPoint && (isDrawn || isClosing)
  for (const [i, part] of parts.entries()) {
    const isClosing = i === parts.length - 1 && operator in WITHOUT_CLOSING
    if (!isPointLine(part, isClosing)) continue
    const { x, y, from, to, isContinued } = part
    const apart = Math.max(LEAST_APART, APART * Math.max(Math.abs(x), Math.abs(y)))
    const place = `${serializeNumber(x)} ${serializeNumber(y)} m`
    const text = `${place} ${serializeNumber(x + apart)} ${serializeNumber(y)} l${isContinued ? ` ${place}` : ''}`
    yield { from, to, text }
    if (isClosing) yield { from: end - operator.length, to: end, text: WITHOUT_CLOSING[operator]! }
  }
}
