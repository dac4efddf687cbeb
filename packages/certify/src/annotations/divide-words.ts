import { readOperators } from '../layers/content-operators.ts'
import { findBeginning, OPERANDS } from '../pdf/operators.ts'

/**
 * Some programs write a letter too many behind an operator of what a field shows. The reviewer's reader takes the operator and
 * leaves the letter, others leave both: then the operator alone is written.
 * @returns undefined where there is no such word. What can be divided in two ways stays, to be refused.
 */
export function divideWords(content: Uint8Array): Buffer | undefined {
  const pieces: Buffer[] = []
  let at = 0
  for (const { name, end } of readOperators(content)) {
    const operator = Object.hasOwn(OPERANDS, name) ? undefined : findBeginning(name)
    const rest = operator === undefined ? '' : name.slice(operator.length)
    if (operator === undefined || Object.hasOwn(OPERANDS, rest) || findBeginning(rest) !== undefined) continue
    pieces.push(Buffer.from(content.subarray(at, end - rest.length)))
    at = end
  }
  return at === 0 ? undefined : Buffer.concat([...pieces, content.subarray(at)])
}
