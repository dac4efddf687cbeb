import type { LogEvent } from 'kysely'
import { findSpan } from '../span.ts'
import type { Engine } from './open.ts'
import { normaliseSql } from './normalise-sql.ts'

/** Shapes are few; those that are made from what people search for are not kept for ever. */
const SHAPES_KEPT = 1000

interface Shape {
  name: string
  text: string
}

/**
 * What makes a step of each statement, with its text as in docs/sql: placeholders stand there, and no value ever. Statements
 * outside of spans, such as looking for work every few seconds, are none's step.
 */
export function traceStatements(engine: Engine): (event: LogEvent) => void {
  const system = engine === 'sqlite' ? 'sqlite' : 'postgresql'
  const kept = new Map<string, Shape>()
  const findShape = (sql: string): Shape => {
    const known = kept.get(sql)
    if (known) return known
    const shape = describe(sql)
    if (kept.size >= SHAPES_KEPT) kept.clear()
    kept.set(sql, shape)
    return shape
  }
  return (event) => {
    const span = findSpan()
    if (!span) return
    const { name, text } = findShape(event.query.sql)
    const startedAt = Date.now() - event.queryDurationMillis
    const step = span.begin(name, { 'db.system.name': system, 'db.query.text': text }, startedAt)
    step.end({}, event.level === 'error' ? event.error : undefined)
  }
}

function describe(sql: string): Shape {
  // Our own constants stand in quotes; taken out so that nobody has to prove that of each.
  const text = normaliseSql(sql).replace(/'(?:[^']|'')*'/g, "'…'")
  const verb = /^\w+/.exec(text)?.[0].toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update) ([a-z_]+)/.exec(text)?.[1]
  return { name: table === undefined ? verb : `${verb} ${table}`, text }
}
