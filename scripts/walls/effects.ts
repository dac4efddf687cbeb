import { Visitor } from 'rolldown/utils'
import { findLine, type Problem, type Rule, type SourceFile } from './source-tree.ts'

/** Hooks that call later what their function returned. */
const CLEANING_HOOKS = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect', 'useSyncExternalStore'])

/**
 * An effect returns its clean-up or nothing. The value of an arrow's expression is returned too, and what is typed as
 * nothing may be something in a browser: newer ones return a promise from `scrollIntoView`, which React then calls.
 */
export const checkEffects: Rule = ({ files }) =>
  files.filter(({ path }) => path.startsWith('packages/web/src/')).flatMap(listReturningEffects)

function listReturningEffects(file: SourceFile): Problem[] {
  const problems: Problem[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [effect], start }) => {
      const hook = nameCallee(callee)
      if (!hook || !CLEANING_HOOKS.has(hook) || !effect || !returnsUnseen(effect)) return
      problems.push({
        path: file.path,
        line: findLine(file.text, start),
        text: `${hook} returns what its expression gives, and React calls it as clean-up: give the function braces.`,
      })
    },
  }).visit(file.program)
  return problems
}

/** A part of the syntax tree; which kind it is decides what else it has. */
interface Part {
  type: string
  name?: string
  property?: Part
  async?: boolean
  body?: Part
}

/** `useEffect` of `useEffect(…)` and of `React.useEffect(…)`. */
function nameCallee(callee: unknown): string | undefined {
  const part = callee as Part
  return part.type === 'MemberExpression' ? part.property?.name : part.name
}

/** An expression that makes a function is a clean-up in sight; an async function returns a promise whatever it holds. */
function returnsUnseen(effect: unknown): boolean {
  const { type, async, body } = effect as Part
  if (type !== 'ArrowFunctionExpression' && type !== 'FunctionExpression') return false
  if (async) return true
  return !['BlockStatement', 'FunctionBody', 'ArrowFunctionExpression', 'FunctionExpression'].includes(body?.type ?? '')
}
