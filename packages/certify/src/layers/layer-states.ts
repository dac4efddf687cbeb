import { PdfArray, PdfDict, PdfName, PdfRef, type PDF } from '@libpdf/core'
import type { PdfObject } from '../pdf/object-store.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/** Levels of a visibility expression that are read. */
const MOST_LEVELS = 10
const OPERATORS = new Set(['And', 'Or', 'Not'])

/** Which parts of a file its layers hide. */
export interface LayerStates {
  /** Without layers everything is seen, whatever refers to one. */
  hasLayers: boolean
  /** @param membership A group, or a membership dictionary (ISO 32000-2 section 8.11.2), or a reference to one. */
  isHidden(membership: PdfObject | undefined): boolean
}

/**
 * How each layer of the file is when it is opened: by the default configuration and by what each layer says of screens. Decided
 * in every case, also the faulty ones, as pdf.js decides: that is what the reviewer sees.
 */
export function readLayerStates(source: PDF, resolve: Resolve): LayerStates {
  const groups = readGroups(source, resolve)
  const isSeen = (group: PdfObject | undefined): boolean | undefined =>
    group instanceof PdfRef ? groups.get(keyOf(group)) : undefined
  return {
    hasLayers: groups.size > 0,
    isHidden(membership) {
      if (groups.size === 0) return false
      const dict = resolve(membership)
      if (!(dict instanceof PdfDict)) return false
      const type = nameOf(resolve(dict.get('Type')))
      if (type === 'OCG') return isSeen(membership) === false
      return type === 'OCMD' && !isMemberSeen(dict, isSeen, resolve)
    },
  }
}

const keyOf = (ref: PdfRef): string => `${ref.objectNumber} ${ref.generation}`
const nameOf = (object: PdfObject | null | undefined): string | undefined =>
  object instanceof PdfName ? object.value : undefined

/** Each group, and whether it is seen. None when the configuration cannot be read. */
function readGroups(source: PDF, resolve: Resolve): Map<string, boolean> {
  const groups = new Map<string, boolean>()
  const properties = resolve(source.getCatalog().get('OCProperties'))
  const list = properties instanceof PdfDict ? resolve(properties.get('OCGs')) : undefined
  const shown = properties instanceof PdfDict ? resolve(properties.get('D')) : undefined
  if (!(list instanceof PdfArray) || !(shown instanceof PdfDict)) return groups
  const unseen = new Set<string>()
  const isSeenAtFirst = nameOf(resolve(shown.get('BaseState'))) !== 'OFF'
  for (const ref of list) {
    if (!(ref instanceof PdfRef) || groups.has(keyOf(ref))) continue
    const group = resolve(ref)
    if (!(group instanceof PdfDict)) return new Map()
    groups.set(keyOf(ref), isSeenAtFirst)
    if (isOffOnScreens(group, resolve)) unseen.add(keyOf(ref))
  }
  for (const [key, isOn] of [['ON', true] as const, ['OFF', false] as const]) {
    const named = resolve(shown.get(key))
    if (!(named instanceof PdfArray)) continue
    for (const ref of named) if (ref instanceof PdfRef && groups.has(keyOf(ref))) groups.set(keyOf(ref), isOn)
  }
  for (const key of unseen) groups.set(key, false)
  return groups
}

/** The usage for viewing counts whether or not an event asks for it. */
function isOffOnScreens(group: PdfDict, resolve: Resolve): boolean {
  const usage = resolve(group.get('Usage'))
  const view = usage instanceof PdfDict ? resolve(usage.get('View')) : undefined
  return view instanceof PdfDict && nameOf(resolve(view.get('ViewState'))) === 'OFF'
}

type IsSeen = (group: PdfObject | undefined) => boolean | undefined

function isMemberSeen(dict: PdfDict, isSeen: IsSeen, resolve: Resolve): boolean {
  const expression = resolve(dict.get('VE'))
  if (expression instanceof PdfArray) {
    const read = readExpression(expression, resolve, 1)
    if (read.length > 0) return evaluate(read, isSeen)
  }
  const entry = dict.get('OCGs')
  const groups = resolve(entry)
  if (!(groups instanceof PdfArray) && !(groups instanceof PdfDict)) return true
  const states = (groups instanceof PdfArray ? [...groups] : [entry]).map(isSeen)
  return decideByPolicy(nameOf(resolve(dict.get('P'))) ?? 'AnyOn', states)
}

/** A group that nobody declared, met before the matter is decided, means seen. */
function decideByPolicy(policy: string, states: readonly (boolean | undefined)[]): boolean {
  const wanted: Record<string, { looksFor: boolean; found: boolean }> = {
    AnyOn: { looksFor: true, found: true },
    AllOn: { looksFor: false, found: false },
    AnyOff: { looksFor: false, found: true },
    AllOff: { looksFor: true, found: false },
  }
  const rule = Object.hasOwn(wanted, policy) ? wanted[policy] : undefined
  if (rule === undefined) return true
  for (const state of states) {
    if (state === undefined) return true
    if (state === rule.looksFor) return rule.found
  }
  return !rule.found
}

type Expression = (string | PdfRef | Expression)[]

/** What cannot be read is left out, down to nothing. */
function readExpression(array: PdfArray, resolve: Resolve, level: number): Expression {
  const operator = nameOf(resolve(array.at(0)))
  if (level > MOST_LEVELS || array.length < 2 || operator === undefined || !OPERATORS.has(operator)) return []
  const read: Expression = [operator]
  for (const item of [...array].slice(1)) {
    const part = resolve(item)
    if (part instanceof PdfArray) read.push(readExpression(part, resolve, level + 1))
    else if (item instanceof PdfRef) read.push(item)
  }
  return read
}

function evaluate(expression: Expression, isSeen: IsSeen): boolean {
  const [operator] = expression
  if (expression.length < 2) return true
  for (const part of expression.slice(1)) {
    const state = Array.isArray(part) ? evaluate(part, isSeen) : part instanceof PdfRef ? isSeen(part) : undefined
    if (state === undefined) return true
    if (operator === 'Not') return !state
    if (operator === 'And' && !state) return false
    if (operator === 'Or' && state) return true
  }
  return operator === 'And'
}
