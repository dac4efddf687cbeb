import type { PdfDict, PdfStream } from '@libpdf/core'
import { type Operand, type Operator, readOperators } from '../layers/content-operators.ts'
import {
  type Box,
  extendPath,
  isEnding,
  isFilling,
  isLine,
  type Matrix,
  multiply,
  type SimplePath,
  startPath,
} from '../pdf/simple-path.ts'
import {
  followLetters,
  isLetterOperator,
  isShowing,
  type Letters,
  placeLetters,
  startLetters,
} from './follow-letters.ts'
import { isInlineStencil } from './inline-stencil.ts'
import type { Paint } from './read-paint.ts'

/** What content draws, as far as it can be too thin to be seen, or has content of its own; each with the matrix to the page. */
export type DrawnThing = Area | Image | LetterBox | { kind: 'form'; form: PdfStream; matrix: Matrix } | DrawnFont

/** A font that draws its letters, when it is shown in another size than before. */
export interface DrawnFont {
  kind: 'font'
  font: PdfDict
  matrix: Matrix
}

/** A path that is filled or cut to. */
export interface Area {
  kind: 'area'
  matrix: Matrix
  path: SimplePath
  /** The operators that make it, by their places in the content, and the end of the operator that paints it. */
  from: number
  to: number
  end: number
  operator: string
  /** It is cut to. */
  isClip: boolean
}

/** A picture, by its place in the content; a stencil has no colours of its own. */
export interface Image {
  kind: 'stencil' | 'image'
  matrix: Matrix
  from: number
  to: number
}

const OPERANDS_OF_LINES: Record<string, number> = { m: 2, l: 2, c: 6, v: 4, y: 4, h: 0, re: 4 }

/** What the reviewer's reader cuts a letter to, by the place of its four numbers (`d1`, ISO 32000-2 table 111). */
export interface LetterBox {
  kind: 'box'
  matrix: Matrix
  box: Box
  from: number
  to: number
}

interface State {
  matrix: Matrix
  saved: Matrix[]
  letters: Letters
  shown: DrawnFont | undefined
  path: SimplePath
  from: number | undefined
  to: number
  isClip: boolean
}

/** @param matrix From the coordinates of the content to those of the page. */
export function* readDrawn(content: Uint8Array, paint: Paint, matrix: Matrix): Generator<DrawnThing> {
  const state: State = { matrix, saved: [], letters: startLetters(), shown: undefined, ...startArea() }
  for (const operator of readOperators(content)) {
    const { name, operands, end } = operator
    const figures = (): number[] => operands.map(({ text }) => Number(text))
    if (isLine(name) || name === 'h') extendArea(state, operator, figures)
    else if (isEnding(name)) {
      if (state.from !== undefined && (isFilling(name) || state.isClip)) yield endArea(state, name, end)
      Object.assign(state, startArea())
    } else if (name === 'W' || name === 'W*') state.isClip = true
    else {
      // what stands within a path is read by each reader in its way
      if (state.from !== undefined) state.path.isRich = true
      const thing = readOther(operator, content, paint, state.matrix)
      if (thing !== undefined) yield thing
    }
    if (name === 'q') state.saved.push(state.matrix)
    else if (name === 'Q') state.matrix = state.saved.pop() ?? matrix
    else if (name === 'cm') state.matrix = multiply(figures() as unknown as Matrix, state.matrix)
    if (!isLetterOperator(name)) continue
    followLetters(state.letters, name, figures, () => operands[0]?.text ?? '')
    const shown = isShowing(name) ? readShown(state, paint) : undefined
    if (shown !== undefined && !isLike(shown, state.shown)) yield (state.shown = shown)
  }
}

function readShown({ letters, matrix }: State, paint: Paint): DrawnFont | undefined {
  const font = paint.drawnFonts.get(letters.name ?? '')
  return font && { kind: 'font', font, matrix: placeLetters(letters, matrix) }
}

const isLike = (one: DrawnFont, other: DrawnFont | undefined): boolean =>
  one.font === other?.font && one.matrix.every((value, i) => i > 3 || value === other.matrix[i])

/** One with other operands than it should have is left as it is. */
function extendArea(state: State, { name, operands, start, end }: Operator, figures: () => number[]): void {
  state.from ??= start
  state.to = end
  if (operands.length !== OPERANDS_OF_LINES[name] || !operands.every(({ kind }) => kind === 'number'))
    state.path.isRich = true
  else if (name !== 'h') extendPath(state.path, name, figures)
}

function readOther(
  { name, operands, start, end }: Operator,
  content: Uint8Array,
  paint: Paint,
  matrix: Matrix,
): DrawnThing | undefined {
  if (name === 'd1') return readLetterBox(operands, matrix)
  const readImage = (isStencil: boolean): Image => ({
    kind: isStencil ? 'stencil' : 'image',
    matrix,
    from: start,
    to: end,
  })
  if (name === 'BI') return readImage(isInlineStencil(content, start, end))
  const object = name === 'Do' ? (operands[0]?.text ?? '') : undefined
  if (object === undefined || operands.length !== 1) return undefined
  const form = paint.forms.get(object)
  if (form !== undefined) return { kind: 'form', form, matrix }
  const isStencil = paint.stencils.has(object)
  return isStencil || paint.images.has(object) ? readImage(isStencil) : undefined
}

function readLetterBox(operands: readonly Operand[], matrix: Matrix): LetterBox | undefined {
  const [, , left, , , head] = operands
  if (operands.length !== 6 || left === undefined || head === undefined) return undefined
  const box = operands.slice(2).map(({ text }) => Number(text)) as unknown as Box
  return { kind: 'box', matrix, box, from: left.start, to: head.end }
}

const startArea = (): Pick<State, 'path' | 'from' | 'to' | 'isClip'> => ({
  path: startPath(),
  from: undefined,
  to: 0,
  isClip: false,
})

const endArea = ({ path, from = 0, to, matrix, isClip }: State, operator: string, end: number): Area => ({
  kind: 'area',
  path,
  from,
  to,
  end,
  operator,
  matrix,
  isClip,
})
