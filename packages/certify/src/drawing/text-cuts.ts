import { readOperators } from '../layers/content-operators.ts'
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
  if (!OTHER.test(text) || (!isCalled && !CUTTING.test(text))) return undefined
  const pieces: Buffer[] = []
  let at = 0
  let modes: { text: string; start: number; end: number }[] = []
  let hasShown = false
  for (const { name, operands, start, end } of readOperators(content)) {
    if (name === 'BT') hasShown = false
    if (name === 'BT' || isShowing(name)) modes = []
    if (isShowing(name)) hasShown = true
    if (name === 'Tr') modes.push({ text: operands[0]?.text ?? '', start, end })
    if (name !== 'ET' || !hasShown) continue
    for (const mode of modes) {
      pieces.push(content.subarray(at, mode.start))
      at = mode.end
    }
    const last = modes.at(-1)
    if (last !== undefined) {
      pieces.push(content.subarray(at, end), Buffer.from(` ${last.text} Tr`))
      at = end
    }
    modes = []
  }
  return at === 0 ? undefined : Buffer.concat([...pieces, content.subarray(at)])
}
