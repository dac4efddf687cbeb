import { readOperators } from '../layers/content-operators.ts'
import { applyEdits, type Edit } from '../pdf/apply-edits.ts'
import { isShowing } from './follow-letters.ts'

const CUTTING = /(?:^|[\s\0])[4-7](?:\.0*)?[\s\0]+Tr(?:[\s\0]|$)|%/
const OTHER = /(?:^|[\s\0])[0-3](?:\.0*)?[\s\0]+Tr(?:[\s\0]|$)|%/

/**
 * PDFium cuts to letters only where the mode at the end of their text object is one that cuts, other readers wherever such letters were
 * shown: what they cut off was in the sealed file to be seen, and not before the reviewer. A mode that is chosen behind the last letters
 * of a text is chosen behind the text instead (ISO 32000-2 section 9.3.6).
 * @param isCalled It begins with the mode of whatever draws it.
 * @returns undefined where that is nowhere needed.
 */
export function moveTextModes(content: Buffer, isCalled: boolean): Buffer | undefined {
  const text = content.toString('latin1')
  return OTHER.test(text) && (isCalled || CUTTING.test(text)) ? applyEdits(content, listEdits(content)) : undefined
}

function* listEdits(content: Buffer): Generator<Edit> {
  let modes: (Edit & { mode: string })[] = []
  let hasShown = false
  for (const { name, operands, start, end } of readOperators(content)) {
    if (name === 'BT') hasShown = false
    if (name === 'BT' || isShowing(name)) modes = []
    if (isShowing(name)) hasShown = true
    if (name === 'Tr') modes.push({ from: start, to: end, text: '', mode: operands[0]?.text ?? '' })
    if (name !== 'ET' || !hasShown) continue
    yield* modes
    const last = modes.at(-1)
    if (last !== undefined) yield { from: end, to: end, text: ` ${last.mode} Tr` }
    modes = []
  }
}
