import { parseSync } from 'rolldown/utils'

/** One small fault that could be in a file. */
export interface Mutant {
  /** Relative to the project. */
  path: string
  /** Offsets in the file's text. */
  start: number
  end: number
  by: string
}

/** A part of the syntax tree (ESTree). */
interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const OPERATORS: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
}
/** Calls of a chain without which it still runs: filters, orders, bounds and checks. */
const LINKS = new Set(
  ['filter', 'where', 'orderBy', 'limit', 'toSorted', 'toReversed', 'slice', 'trim', 'toLowerCase'].concat([
    'refine',
    'min',
    'max',
    'regex',
    'optional',
    'nullable',
    'superRefine',
    'subarray',
  ]),
)
const TWINS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
}

/** The faults that could be in a file: an operator, a condition, a bound, a step or a check that is another or is left out. */
export function listMutants(path: string, text: string): Mutant[] {
  const { program, errors } = parseSync(path, text, { lang: 'ts' })
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const mutants: Mutant[] = []
  const replace = ({ start, end }: Node, by: string) => mutants.push({ path, start, end, by })
  const cut = (start: number, end: number) => void mutants.push({ path, start, end, by: '' })

  function visit(node: Node, parent: Node | undefined): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
        swapOperator(node)
        break
      case 'UnaryExpression':
        if (node['operator'] === '!') cut(node.start, node.start + 1)
        break
      case 'IfStatement':
      case 'ConditionalExpression':
        for (const value of ['true', 'false']) replace(node['test'] as Node, value)
        break
      case 'Literal':
        changeLiteral(node, parent)
        break
      case 'ExpressionStatement':
        if (!isDirective(node)) replace(node, ';')
        break
      case 'CallExpression':
        changeLink(node)
        break
    }
  }

  function swapOperator(node: Node): void {
    const [left, right] = [node['left'], node['right']] as [Node, Node]
    const operator = String(node['operator'])
    // Of texts there is no difference.
    if (
      operator === '+' &&
      [left, right].some(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string')
    )
      return
    if (operator === '??') return isLiteral(right) ? undefined : cut(left.end, node.end)
    const other = OPERATORS[operator]
    const at = text.indexOf(operator, left.end)
    if (other !== undefined) mutants.push({ path, start: at, end: at + operator.length, by: other })
  }

  function changeLiteral(node: Node, parent: Node | undefined): void {
    const { value } = node
    if (typeof value === 'boolean') replace(node, String(!value))
    else if (typeof value === 'number') replace(node, String(value + 1))
    else if (typeof value === 'string' && value !== '' && isVerdict(parent)) replace(node, "'internal'")
  }

  /** Codes that are thrown or returned. */
  function isVerdict(parent: Node | undefined): boolean {
    return parent?.type === 'ReturnStatement' || parent?.type === 'NewExpression'
  }

  function changeLink({ callee, end }: Node): void {
    const { type, object, property } = callee as { type: string; object?: Node; property?: Node & { name?: string } }
    if (type !== 'MemberExpression' || !object || !property?.name) return
    const isMath = (object as { name?: string }).name === 'Math'
    const twin = TWINS[property.name]
    if (twin !== undefined && (isMath || twin === 'every' || twin === 'some')) return void replace(property, twin)
    if (!isMath && LINKS.has(property.name) && object.type !== 'Super') cut(object.end, end)
  }

  function walk(node: Node, parent: Node | undefined): void {
    // Types are gone when it runs; what is around a value is not.
    const isType =
      node.type.startsWith('TS') &&
      !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(node.type)
    if (isType || node.type === 'ImportDeclaration') return
    visit(node, parent)
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'parent' || (key === 'right' && standsIn(node, parent))) continue
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, node)
    }
  }

  walk(program as unknown as Node, undefined)
  return mutants
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Whether the right side stands in for an item that is never missing, for the type alone, as is most often so of a literal. */
function standsIn({ type, operator, right }: Node, parent: Node | undefined): boolean {
  const mayMiss = operator === '??' || (type === 'AssignmentPattern' && parent?.type === 'ArrayPattern')
  return mayMiss && isLiteral(right as Node)
}

function isLiteral({ type, argument }: Node): boolean {
  return type === 'Literal' || (type === 'UnaryExpression' && isLiteral(argument as Node))
}

function isDirective({ directive }: Node): boolean {
  return typeof directive === 'string'
}

export function applyMutant(text: string, { start, end, by }: Mutant): string {
  return text.slice(0, start) + by + text.slice(end)
}
