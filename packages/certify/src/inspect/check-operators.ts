import { Disagreement } from '../errors.ts'
import { skipInlineImage } from '../layers/content-operators.ts'
import { KINDS } from '../pdf/byte-kinds.ts'
import { findBeginning, OPERANDS } from '../pdf/operators.ts'
import { readName, readWordAt } from './read-operands.ts'
import { skipString } from './skip-string.ts'
import { isBlankInlineStencil } from '../drawing/blank-stencil.ts'
import {
  BLACK,
  type Chosen,
  type Colours,
  followColour,
  isColourOperator,
  keepChosen,
  startColours,
  UNKNOWN,
} from './follow-colours.ts'
import {
  followLetters,
  isLetterOperator,
  isShowing,
  type Letters,
  measureLetters,
  startLetters,
} from '../drawing/follow-letters.ts'
import { findFigureFault } from './check-figures.ts'
import { type Dashes, followDashes, isDashOperator, readDashes, startDashes } from './follow-dashes.ts'
import { type DrawnLetter, followDrawnLetter, startDrawnLetter } from './follow-drawn-letter.ts'
import {
  followShape,
  followStencil,
  isShapeOperator,
  MOST_LONE,
  readScale,
  type Shapes,
  startShapes,
} from './follow-shapes.ts'
import {
  followTextMode,
  isTextModeOperator,
  keepTextModes,
  startTextModes,
  type TextModes,
} from './follow-text-modes.ts'
import { findPaintFault, findStencilFault, isPaintingOperator, passOn } from './follow-patterns.ts'
import { followOpacity, isOpacityOperator, type Opacities, startOpacities } from './follow-opacities.ts'
import { isStencil, readInlineEntries } from '../drawing/inline-stencil.ts'
import { NO_PAINT, type Paint } from '../drawing/read-paint.ts'
import type { Opacity } from '../drawing/read-opacity.ts'
import { roundScale } from '../drawing/round-scale.ts'

/** Components of a colour, and the name of a pattern; pdf.js stops at a page with more operands in a row. */
const MOST_OPERANDS = 33
/** Bytes of a word, beyond which pdf.js stops. */
const LONGEST_WORD = 127
/** Larger numbers are others in each reader. */
const LARGEST = 2 ** 31
const SMALL_DIGITS = 9
/** Readers take it for a digit, pass over it, or end there. */
const NO_HEX = /[^\da-fA-F\s\0]/
/** More digits Ghostscript takes for another number. */
const MOST_DIGITS = 100
const WORDS = new Set(['true', 'false', 'null'])
/** Operators after which a path has a point that it can go on from, those that need one, and those that end it. */
const BEGIN_PATH = new Set(['m', 're'])
const GO_ON = new Set(['l', 'c', 'v', 'y', 'h'])
const END_PATH = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n'])

/** Operators that set a place. Readers that count in single precision draw elsewhere from places that are too far away. */
const PLACING = new Set(['Td', 'TD', 'Tm', 'cm'])
const FAR_DIGITS = 8

/** What gives colours, where there must be none. */
const COLOURS = new Set(['g', 'rg', 'k', 'G', 'RG', 'K', 'cs', 'CS', 'sc', 'scn', 'SC', 'SCN', 'sh', 'gs'])

/** Where a content stream is drawn; a stencil is a tile without colours of its own. */
export type Drawn = 'page' | 'glyph' | 'stencil'

/** How content begins to draw. */
export interface Start {
  chosen: Chosen
  /** By how much at least all is scaled on its way to the page; undefined where that is not known. */
  scale: number | undefined
  /** It may be drawn many times, by its name. */
  isCalled?: boolean
  /** The period of the dashes that are set there, in its unit; none when absent. */
  dashes?: number
  /** In which letters are shown there; filled when absent. */
  textMode?: number
  /** They are stretched or squeezed there. */
  isStretched?: boolean
  /** Of what is drawn there; opaque when absent. */
  opacity?: Opacity
  /** It is a letter, or stands in one. */
  isLetter?: boolean
  /** The same of a tile. */
  isTile?: boolean
}

/** Another object that content draws by its name, and how that begins; of a font its letters. */
export interface Call extends Start {
  kind: 'object' | 'font'
  name: string
}

const OF_PAGE: Start = { chosen: BLACK, scale: 1 }

/**
 * Looks whether readers would come to the same operators and operands. At a fault in content the reviewer's reader stops where
 * others go on, or the other way round; what it does not know it keeps for the next operator, and others forget it.
 * @returns what else it draws.
 * @throws Refusal `unreadable`.
 */
export function checkOperators(
  content: Buffer,
  drawn: Drawn,
  paint: Paint = NO_PAINT,
  start: Start = OF_PAGE,
): readonly Call[] {
  const places = { number: 0, name: 0, array: 0 }
  const state = {
    hasPoint: false,
    count: 0,
    isColourless: drawn === 'stencil',
    colours: startColours(start.chosen),
    calls: [],
    shapes: startShapes(start.scale, start.isCalled === true ? 0 : MOST_LONE, drawn === 'glyph' ? 'letter' : 'page'),
    dashes: startDashes(start.dashes),
    textModes: startTextModes(start.textMode, start.isStretched),
    opacities: startOpacities(start.opacity),
    isFontLost: false,
    isFar: false,
    isMixed: false,
    letters: startLetters(),
    drawnLetter: drawn === 'glyph' || start.isLetter === true ? startDrawnLetter() : undefined,
    isTile: start.isTile === true,
    shown: new Set<string>(),
    starts: new Int32Array(MOST_OPERANDS + 1),
  }
  const scan: Scan = { content, drawn, paint, at: 0, operands: '', open: '', ...places, ...state }
  while (scan.at < content.length) {
    const byte = content[scan.at]!
    const kind = KINDS[byte]
    if (kind === 1) scan.at++
    else if (kind === 2) readDelimited(scan, byte)
    else if (isNumeric(byte)) readNumber(scan)
    else readWord(scan)
  }
  return scan.calls
}

interface Scan {
  content: Buffer
  drawn: Drawn
  paint: Paint
  at: number
  /** Those that wait for their operator, as letters of `OPERANDS`; `w` for words. */
  operands: string
  /** Brackets open around the present place. */
  open: string
  /** Where the last number, name and array began. */
  number: number
  name: number
  array: number
  hasPoint: boolean
  /** Operators so far. */
  count: number
  /** Colours come from elsewhere. */
  isColourless: boolean
  colours: Colours
  calls: Call[]
  shapes: Shapes
  dashes: Dashes
  textModes: TextModes
  opacities: Opacities
  /** The font that was chosen last is none that the resources name. */
  isFontLost: boolean
  /** One of the operands is a number of many digits. */
  isFar: boolean
  /** A list among the operands holds more than strings and numbers. */
  isMixed: boolean
  letters: Letters
  drawnLetter: DrawnLetter | undefined
  isTile: boolean
  /** Fonts that draw their letters, with the sizes at which they were shown, rounded. */
  shown: Set<string>
  /** Where the numbers among the operands began. */
  starts: Int32Array
}

function complain(fault: string): never {
  throw new Disagreement(`content that readers read in different ways: ${fault}`)
}

function add(scan: Scan, letter: string): void {
  if (scan.open !== '' && letter !== 'n' && letter !== 's') scan.isMixed = true
  if (scan.open !== '') return
  scan.operands += letter
  if (scan.operands.length > MOST_OPERANDS) complain('too many operands')
}

/** What nothing closes ends with the content, for all readers. */
function readDelimited(scan: Scan, byte: number): void {
  const { content } = scan
  const start = scan.at++
  switch (byte) {
    case 0x25:
      while (scan.at < content.length && content[scan.at] !== 10 && content[scan.at] !== 13) scan.at++
      return
    case 0x28:
      scan.at = skipString(content, scan.at) ?? complain('a character beyond 255')
      return add(scan, 's')
    case 0x2f:
      while (scan.at < content.length && KINDS[content[scan.at]!] === 0) scan.at++
      scan.name = start
      return add(scan, 'N')
    case 0x3c:
      if (content[scan.at] === 0x3c) {
        scan.at++
        scan.open += '<'
        return
      }
      scan.at = content.indexOf(0x3e, start) + 1 || content.length
      if (NO_HEX.test(content.toString('latin1', start + 1, scan.at - 1)))
        complain('a string with other than its digits')
      return add(scan, 's')
    case 0x5b:
      scan.open += '['
      scan.array = start
      return
    case 0x5d:
      return close(scan, '[', 'a')
    case 0x3e:
      if (content[scan.at++] !== 0x3e) complain('a bracket that nothing opened')
      return close(scan, '<', 'd')
    default:
      complain('a delimiter that nothing opened')
  }
}

function close(scan: Scan, opened: string, letter: string): void {
  if (!scan.open.endsWith(opened)) complain('a bracket that nothing opened')
  scan.open = scan.open.slice(0, -1)
  add(scan, letter)
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
/** A digit, a point or a sign. */
const isNumeric = (byte: number): boolean => isDigit(byte) || byte === 0x2e || byte === 0x2b || byte === 0x2d

function readNumber(scan: Scan): void {
  const { content } = scan
  const start = scan.at
  const first = content[start]!
  let at = first === 0x2b || first === 0x2d ? start + 1 : start
  const whole = at
  while (isDigit(content[at]!)) at++
  let digits = at - whole
  if (digits >= FAR_DIGITS) scan.isFar = true
  if (digits > SMALL_DIGITS && Number(content.toString('latin1', whole, at)) >= LARGEST)
    complain('a number that is too large')
  if (content[at] === 0x2e) {
    const fraction = ++at
    while (isDigit(content[at]!)) at++
    digits += at - fraction
  }
  scan.at = at
  while (scan.at < content.length && KINDS[content[scan.at]!] === 0) scan.at++
  if (digits === 0 || digits > MOST_DIGITS || scan.at > at)
    complain(`the number ${content.toString('latin1', start, scan.at).slice(0, 20)}`)
  scan.number = start
  if (scan.open === '') scan.starts[scan.operands.length] = start
  add(scan, 'n')
}

function readWord(scan: Scan): void {
  const { content, operands, drawn, paint } = scan
  const start = scan.at
  while (scan.at < content.length && KINDS[content[scan.at]!] === 0) scan.at++
  const name = content.toString('latin1', start, scan.at)
  if (WORDS.has(name)) return add(scan, 'w')
  scan.operands = ''
  const due = Object.hasOwn(OPERANDS, name) ? OPERANDS[name]! : undefined
  if (due === undefined) return passOver(scan, name, operands)
  if (scan.open !== '') complain('an operator within a bracket')
  if (due !== operands && !isOtherForm(due, operands)) complain(`operands of ${name}`)
  scan.count++
  if (scan.isFar && PLACING.has(name)) complain('a place that is too far away')
  // of such a list PDFium shows nothing
  if (scan.isMixed && name === 'TJ') complain('a text that is no list of strings')
  scan.isFar = false
  scan.isMixed = false
  const fault =
    scan.drawnLetter && followDrawnLetter(scan.drawnLetter, name, operands, () => readName(content, scan.name), paint)
  if (fault !== undefined) complain(fault)
  if (name === 'BI') readInlineImage(scan)
  checkFigures(scan, name, operands)
  if (isColourOperator(name)) checkColour(scan, name, operands)
  if (isShapeOperator(name)) checkShape(scan, name, operands)
  if (isDashOperator(name)) checkDashes(scan, name)
  if (isTextModeOperator(name)) checkTextMode(scan, name, operands)
  if (isOpacityOperator(name)) checkOpacity(scan, name)
  if (isPaintingOperator(name)) checkPatterns(scan, name)
  if (isLetterOperator(name) && (paint.drawnFonts.size > 0 || scan.colours.isDrawn)) checkLetters(scan, name, operands)
  if (name === 'Do') readCall(scan)
  if (scan.isColourless) checkColourless(scan, name)
  // all that follows is clipped to it
  if (name === 'd1') {
    if (drawn !== 'glyph' || scan.count > 1) complain('the box of a glyph elsewhere')
    scan.isColourless = true
  }
  if (GO_ON.has(name) && !scan.hasPoint) complain('a path that does not begin')
  if (BEGIN_PATH.has(name)) scan.hasPoint = true
  else if (END_PATH.has(name)) scan.hasPoint = false
}

function checkFigures(scan: Scan, name: string, operands: string): void {
  const { content, number, array } = scan
  const word = (): string => readWordAt(content, number)
  const numbers = (): number[] => readFigures(scan, operands).filter((_, i) => operands[i] === 'n')
  const fault = findFigureFault(name, { content, number, array, word, numbers })
  if (fault !== undefined) complain(fault)
}

function checkDashes({ content, paint, dashes, shapes, array, number, name }: Scan, operator: string): void {
  const read = (): number | undefined =>
    operator === 'd'
      ? readDashes(content, array, number).reduce((sum, length) => sum + length, 0)
      : paint.dashes.get(readName(content, name))
  const fault = followDashes(dashes, operator, read, readScale(shapes))
  if (fault !== undefined) complain(fault)
}

function checkTextMode(scan: Scan, operator: string, operands: string): void {
  const { content, textModes, shapes, paint, name } = scan
  if (operator === 'Tf') scan.isFontLost = paint.fonts?.has(readName(content, name)) === false
  if (scan.isFontLost && isShowing(operator)) complain('letters of a font that is not there')
  const fault = followTextMode(textModes, operator, () => readFigures(scan, operands), shapes.matrix)
  if (fault !== undefined) complain(fault)
}

function checkOpacity({ content, paint, name, opacities, textModes, colours, drawn }: Scan, operator: string): void {
  const read = (): Partial<Opacity> | undefined => paint.opacities.get(readName(content, name))
  const fault = followOpacity(opacities, operator, read, {
    mode: textModes.mode,
    colours,
    isGlyph: drawn === 'glyph',
  })
  if (fault !== undefined) complain(fault)
}

function checkColour(scan: Scan, operator: string, operands: string): void {
  const { content, colours, paint, name, number } = scan
  const fault = followColour(colours, paint, {
    operator,
    operands,
    name: () => readName(content, name),
    number: () => readWordAt(content, number),
    numbers: () => readFigures(scan, operands.replaceAll(/[^n]/g, '')),
  })
  if (fault !== undefined) complain(fault)
}

function checkPatterns({ colours, textModes, isTile }: Scan, operator: string): void {
  const fault = findPaintFault(colours, operator, { mode: textModes.mode, isTile })
  if (fault !== undefined) complain(fault)
}

function readCall(scan: Scan): void {
  const { content, paint, name: at, calls, colours, shapes, dashes, textModes, opacities } = scan
  const name = readName(content, at)
  const stencil = paint.stencils.get(name)
  const fault = stencil && (followStencil(shapes, stencil.isBlank) ?? findStencilFault(colours, stencil.isPixel))
  if (fault !== undefined) complain(fault)
  const isLetter = scan.drawnLetter !== undefined
  const set = {
    dashes: dashes.period,
    ...keepTextModes(textModes),
    opacity: opacities.now,
    isLetter,
    isTile: scan.isTile,
  }
  calls.push({ kind: 'object', name, chosen: passOn(keepChosen(colours)), scale: readScale(shapes), ...set })
}

function checkShape(scan: Scan, operator: string, operands: string): void {
  const fault = followShape(scan.shapes, operator, () => readFigures(scan, operands))
  if (fault !== undefined) complain(fault)
}

/** How large drawn letters come to be: what is in them is looked at as on the page. */
function checkLetters(scan: Scan, operator: string, operands: string): void {
  const { content, letters, shapes, shown, calls, colours, paint } = scan
  followLetters(
    letters,
    operator,
    () => readFigures(scan, operands),
    () => readName(content, scan.name),
  )
  if (!isShowing(operator) || !colours.isDrawn) return
  const { name } = letters
  if (name === undefined) complain('drawn letters of a font that was chosen elsewhere')
  if (!paint.drawnFonts.has(name) || !shapes.isSized) return
  const scale = roundScale(measureLetters(letters, shapes.matrix))
  const opacity = scan.opacities.now
  const key = `${scale} ${Object.values(opacity).join(' ')} ${name}`
  if (shown.has(key)) return
  shown.add(key)
  calls.push({ kind: 'font', name, chosen: UNKNOWN, scale, opacity })
}

const readFigures = ({ content, starts }: Scan, operands: string): number[] =>
  Array.from(operands, (_, i) => Number(readWordAt(content, starts[i]!)))

/** Some readers give colours to what says that it has none. */
function checkColourless({ content, paint, name, drawn }: Scan, operator: string): void {
  // of plain colours in glyphs all readers think the same
  const isPlain = drawn === 'glyph' && operator !== 'sh' && operator !== 'gs'
  if (COLOURS.has(operator) && !isPlain) complain('colours where there must be none')
  if (operator === 'Do' && !paint.stencils.has(readName(content, name)))
    complain('a picture with colours where there must be none')
}

function readInlineImage(scan: Scan): void {
  const begin = scan.at
  scan.at = skipInlineImage(scan.content, begin)
  const { entries, data } = readInlineEntries(scan.content, begin, scan.at)
  const isBlank = () => isBlankInlineStencil(entries, scan.content.subarray(data, scan.at))
  const isPlain = isStencil(entries)
  const fault = isPlain ? (followStencil(scan.shapes, isBlank) ?? findStencilFault(scan.colours, true)) : undefined
  if (fault !== undefined) complain(fault)
  if (!isPlain && scan.isColourless) complain('a picture with colours where there must be none')
}

/** Of colours, and of marks, which show nothing. */
function isOtherForm(due: string, operands: string): boolean {
  if (due === '*') return /^n*N?$/.test(operands) && operands !== ''
  return due === 'NN' && /^N.$/.test(operands)
}

/**
 * An unknown word alone is nothing to all, and so is one at the very end. One that begins as an operator is two words to some, and a long one
 * the end of the page.
 */
function passOver({ at, content, open }: Scan, name: string, operands: string): void {
  const isAlone = (operands === '' && open === '') || at === content.length
  if (!isAlone || name.length > LONGEST_WORD || findBeginning(name) !== undefined)
    complain(`the operator ${name.slice(0, 20)}`)
}
