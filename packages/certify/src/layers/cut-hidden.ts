import { Disagreement } from '../errors.ts'
import { type Operator, readOperators } from './content-operators.ts'

/** Everything that may stand in content (ISO 32000-2 annex A). */
const KNOWN = new Set(
  [
    'b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri',
    's S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "',
  ]
    .join(' ')
    .split(' '),
)
/** What they leave behind when nothing is painted: the end of the path, which a clip may be waiting for. */
const PAINTS_PATH = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const PAINTS_OTHERWISE = new Set(['Do', 'sh', 'BI'])
const SHOWS_TEXT = new Set(['Tj', 'TJ', "'", '"'])
/** After these it does not matter how far earlier text had come. */
const PLACES_TEXT = new Set(['BT', 'Td', 'TD', 'Tm', 'T*', "'", '"'])

/**
 * Content without the marks of layers and without what hidden layers paint. What they do to the graphics state stays, because
 * readers do that too.
 * @param isHidden Told the name of a property list; undefined where the content gives the properties itself.
 * @returns undefined when there is no mark of a layer.
 * @throws Refusal `unreadable` where it cannot be told what readers would show.
 */
export function cutHidden(bytes: Uint8Array, isHidden: (property: string) => boolean): Uint8Array | undefined {
  const cutter = createCutter(bytes, isHidden)
  for (const operator of readOperators(bytes)) cutter.take(operator)
  return cutter.finish()
}

interface Cutter {
  take(operator: Operator): void
  finish(): Uint8Array | undefined
}

function createCutter(bytes: Uint8Array, isHidden: (property: string) => boolean): Cutter {
  const pieces: Uint8Array[] = []
  /** Marks that are open, outermost first. */
  const marks: ('layer' | 'hidden' | 'other')[] = []
  let hiddenMarks = 0
  let hasHidden = false
  let hasUnknown = false
  let copied = 0
  let isTextAdrift = false
  let isClippingByText = false
  const replace = ({ start, end }: Operator, text: string): void => {
    pieces.push(bytes.subarray(copied, start), Buffer.from(text, 'latin1'))
    copied = end
  }
  const open = (operator: Operator): void => {
    const [tag, properties] = operator.operands.slice(-2)
    // readers skip a mark whose operands are missing, and would pair up the ends otherwise
    if (operator.operands.length < (operator.name === 'BDC' ? 2 : 1)) hasUnknown = true
    if (operator.name !== 'BDC' || tag?.kind !== 'name' || tag.text !== 'OC') {
      marks.push('other')
      return
    }
    if (properties?.kind === 'dictionary') {
      // its groups cannot be referred to from here; one that names none would be hidden in some readers
      if (Buffer.from(bytes.subarray(properties.start, properties.end)).includes('OCMD')) hasHidden = hasUnknown = true
    }
    const hides = properties?.kind === 'name' && isHidden(properties.text)
    marks.push(hides ? 'hidden' : 'layer')
    if (hides) {
      hiddenMarks += 1
      hasHidden = true
    }
    replace(operator, ' ')
  }
  const close = (operator: Operator): void => {
    const mark = marks.pop()
    if (mark === 'hidden') hiddenMarks -= 1
    if (mark !== 'other') replace(operator, ' ')
  }
  const hide = (operator: Operator): void => {
    const { name } = operator
    if (PAINTS_PATH.has(name)) replace(operator, ' n ')
    else if (PAINTS_OTHERWISE.has(name)) replace(operator, ' ')
    else if (SHOWS_TEXT.has(name)) {
      replace(operator, ` ${moveAsShown(bytes, operator)} `)
      isTextAdrift = true
    }
  }
  return {
    take(operator) {
      const { name } = operator
      if (!KNOWN.has(name)) hasUnknown = true
      if (name === 'Tr' && /[4-7]/.test(operator.operands.at(-1)?.text ?? '')) isClippingByText = true
      if (PLACES_TEXT.has(name)) isTextAdrift = false
      if (name === 'BDC' || name === 'BMC') open(operator)
      else if (name === 'EMC') close(operator)
      else if (hiddenMarks > 0) hide(operator)
      else if (isTextAdrift && SHOWS_TEXT.has(name)) {
        throw new Disagreement('text whose place depends on text of a hidden layer')
      }
    },
    finish() {
      if (hasHidden && (hasUnknown || isClippingByText)) {
        throw new Disagreement('content of which readers may hide different parts')
      }
      if (pieces.length === 0) return undefined
      return Buffer.concat([...pieces, bytes.subarray(copied)])
    },
  }
}

/** Two of the operators that show text also go to the next line, and one of them sets spacing. */
function moveAsShown(bytes: Uint8Array, { name, operands }: Operator): string {
  if (name === "'") return 'T*'
  if (name !== '"') return ''
  const [word, character] = operands.slice(-3).map(({ start, end }) => Buffer.from(bytes.subarray(start, end)))
  return `${word?.toString('latin1')} Tw ${character?.toString('latin1')} Tc T*`
}
