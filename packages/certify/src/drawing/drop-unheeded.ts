import { readOperators } from '../layers/content-operators.ts'
import { applyEdits, type Edit } from '../pdf/apply-edits.ts'

/** A state that is saved or restored, as far as a look tells; words in strings are among them. */
const STATE = /(?<=^|[\s\0>)\]])[qQ](?=[\s\0/([<]|$)/g
/** A limit below 1. Each begins with a sign or a figure: blanks alone, of which there may be many, are read once. */
const LOW_LIMIT = /(?<![^\s\0])(?:-[\d.]+|\+?(?:0+(?:\.\d*)?|\.\d*))[\s\0]+M(?=[\s\0/([<]|$)/

/**
 * Leaves out of content what the reviewer's reader passes over. Behind a state that is restored and was not saved Poppler shows nothing
 * any more, and limits of corners below 1 cut these off in other readers (ISO 32000-2 sections 8.4.2 and 8.4.3.5).
 * @returns undefined where there is nothing of it.
 */
export function dropUnheeded(content: Buffer): Buffer | undefined {
  const text = content.toString('latin1')
  return restoresTooMuch(text) || LOW_LIMIT.test(text) ? applyEdits(content, listEdits(content)) : undefined
}

function restoresTooMuch(text: string): boolean {
  let depth = 0
  for (const [word] of text.matchAll(STATE)) {
    depth += word === 'q' ? 1 : -1
    if (depth < 0) return true
  }
  return false
}

function* listEdits(content: Buffer): Generator<Edit> {
  let depth = 0
  for (const { name, operands, start, end } of readOperators(content)) {
    if (name === 'q') depth++
    else if (name === 'Q' && depth > 0) depth--
    else if (name === 'Q' || (name === 'M' && Number(operands[0]?.text) < 1)) yield { from: start, to: end, text: '' }
  }
}
