import { Visitor } from 'rolldown/utils'
import { findLine, type Problem, type Rule, type SourceFile } from './source-tree.ts'

/** Attributes and props whose text people read or hear. */
const SPOKEN = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'heading',
  'hint',
  'label',
  'message',
  'placeholder',
  'text',
  'title',
])
const TWO_LETTERS = /\p{L}\P{L}*\p{L}/u

/** What people read comes from the message catalogue, never from a component. */
export const checkWords: Rule = ({ files }) =>
  files
    .filter(({ path, isTest }) => path.startsWith('packages/web/src/') && path.endsWith('.tsx') && !isTest)
    .flatMap(listHardCodedWords)

function listHardCodedWords(file: SourceFile): Problem[] {
  const problems: Problem[] = []
  const refuse = (text: string, start: number) => {
    const words = text.replace(/&\w+;/g, ' ').replace(/\s+/g, ' ').trim()
    if (!TWO_LETTERS.test(words)) return
    problems.push({
      path: file.path,
      line: findLine(file.text, start),
      text: `"${words.slice(0, 60)}" is hard-coded: give it a key in packages/contract/messages/en.json and use the message.`,
    })
  }
  new Visitor({
    JSXText: ({ value, start }) => refuse(value, start),
    JSXElement: ({ children }) => children.forEach((child) => refuseShown(child, refuse)),
    JSXFragment: ({ children }) => children.forEach((child) => refuseShown(child, refuse)),
    JSXAttribute: ({ name, value }) => {
      const spelled = name.type === 'JSXIdentifier' ? name.name : ''
      if (!SPOKEN.has(spelled) || !value) return
      if (value.type === 'Literal') refuseText(value, refuse)
      else refuseShown(value, refuse)
    },
  }).visit(file.program)
  return problems
}

type Refuse = (text: string, start: number) => void

/** A part of the syntax tree; which kind it is decides what else it has. */
interface Shown {
  type: string
  start: number
  expression?: Shown
  consequent?: Shown
  alternate?: Shown
  left?: Shown
  right?: Shown
  value?: unknown
  quasis?: { value: { raw: string } }[]
}

/** Looks at what an expression may show: `{busy ? 'Loading' : 'Login'}` shows both. */
function refuseShown(node: unknown, refuse: Refuse): void {
  const shown = node as Shown
  if (shown.type === 'JSXExpressionContainer') refuseShown(shown.expression, refuse)
  else if (shown.type === 'ConditionalExpression')
    [shown.consequent, shown.alternate].forEach((part) => refuseShown(part, refuse))
  else if (shown.type === 'LogicalExpression') refuseShown(shown.right, refuse)
  else refuseText(shown, refuse)
}

function refuseText({ type, value, quasis, start }: Shown, refuse: Refuse): void {
  if (type === 'Literal' && typeof value === 'string') refuse(value, start)
  if (type === 'TemplateLiteral') refuse((quasis ?? []).map((part) => part.value.raw).join(' '), start)
}
