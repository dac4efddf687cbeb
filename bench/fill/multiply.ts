import { makeProofId } from '@proofdesk/proof/proof-id'
import type { Pattern } from './patterns.ts'
import { drawBytes } from './random.ts'
import { mustBeNumber, mustBeText, type Cell, type FilledTable, type Row } from './row.ts'

/** Who and what one copy of a pattern is about. */
export interface Copy {
  title: string
  titleKey: string
  owner: { id: number; username: string }
  reviewer: { id: number; username: string }
  /** Milliseconds since 1970-01-01 UTC; what happened later happens as much later. */
  createdAt: number
  expireTime: number | null
}

/** The next id of each table. */
export type NextIds = Map<FilledTable, number>

export interface CopiedRows {
  table: FilledTable
  columns: string[]
  rows: Cell[][]
}

/** What stands for one value of the pattern within one copy. */
interface Stand extends Copy {
  shift: number
  /** By place in `ids`, `keys`: what each id and each random text of the pattern has become. */
  ids: number[]
  keys: string[]
  proofid: string | null
}

type MakeCell = (stand: Stand) => Cell

/** Folder and hexadecimal digits, as keys of files, hashes and seeds are. */
const HEX = /^((?:[a-z0-9]+\/)*)([0-9a-f]{32}|[0-9a-f]{64})$/
/** Base64url of 32 bytes, as MACs are. */
const MAC = /^[A-Za-z0-9_-]{43}$/
const TIME = /_at$/

/** Columns that name a row of another table, and people, who are others in each copy. */
const REFERENCES: Record<string, FilledTable> = {
  collection_id: 'collections',
  claim_id: 'proofs',
  content_id: 'contents',
  submission_id: 'submissions',
  decision_id: 'decisions',
  ticket_id: 'tickets',
}
const PEOPLE = new Set(['owner_id', 'reviewer_id', 'user_id', 'admin_id'])

/**
 * Prepares a pattern for making many copies of it. Every column of every row is taken over as the product wrote it, but for
 * ids, people, titles, times, what follows from a time that is over, and keys, hashes and MACs, which are drawn anew in the form they have. So a column that this
 * does not know holds what the product puts there.
 * @param main The table of the thing itself; its `owner_id` owns the pattern.
 */
export function prepareCopies(pattern: Pattern, main: FilledTable): (copy: Copy, next: NextIds) => CopiedRows[] {
  const [thing] = pattern.get(main) ?? []
  if (!thing) throw new Error(`the pattern has no row in ${main}`)
  const ownerId = mustBeNumber(thing, 'owner_id')
  const begin = mustBeNumber(thing, 'created_at')
  const ids: { table: FilledTable; id: number }[] = [...pattern].flatMap(([table, rows]) =>
    rows.flatMap((row) => (typeof row['id'] === 'number' ? [{ table, id: row['id'] }] : [])),
  )
  const keys: string[] = []
  const seed = pattern.get('proofs')?.[0] && mustBeText(pattern.get('proofs')?.[0] as Row, 'seed')

  const findKey = (text: string) => {
    if (!keys.includes(text)) keys.push(text)
    return keys.indexOf(text)
  }
  const findId = (table: FilledTable, id: Cell): MakeCell => {
    const place = ids.findIndex((one) => one.table === table && one.id === id)
    if (place === -1) throw new Error(`the pattern refers to a row of ${table} that is not part of it`)
    return ({ ids: given }) => given[place] ?? null
  }

  function prepareCell(table: FilledTable, column: string, value: Cell): MakeCell {
    if (value === null) return () => null
    if (column === 'id') return findId(table, value)
    const referred = REFERENCES[column]
    if (referred) return findId(referred, value)
    if (PEOPLE.has(column)) return value === ownerId ? ({ owner }) => owner.id : ({ reviewer }) => reviewer.id
    if (column === 'proofid') return ({ proofid }) => proofid
    if (column === 'expire_time') return ({ expireTime }) => expireTime
    // The product marks it within seconds, so that hardly any row waits for its mark.
    if (column === 'lapsed') return ({ expireTime }) => (expireTime !== null && expireTime <= Date.now() ? 1 : 0)
    if (column === 'username') return ({ owner }) => owner.username
    if (column === 'reviewer_username') return ({ reviewer }) => reviewer.username
    if (column === 'path' && value === String(thing?.['id'])) {
      const make = findId(main, thing?.['id'] ?? null)
      return (stand) => String(make(stand))
    }
    // The titles of files are few and stay.
    if (column === 'title' && value === thing?.['title']) return ({ title }) => title
    if (column === 'title_key' && value === thing?.['title_key']) return ({ titleKey }) => titleKey
    if (TIME.test(column) && typeof value === 'number') return ({ shift }) => value + shift
    if (typeof value === 'string' && (HEX.test(value) || MAC.test(value))) {
      const place = findKey(value)
      return ({ keys: given }) => given[place] ?? null
    }
    return () => value
  }

  const plans = [...pattern].flatMap(([table, rows]) => {
    const [first] = rows
    if (!first) return []
    const columns = Object.keys(first)
    return [
      { table, columns, cells: rows.map((row) => columns.map((name) => prepareCell(table, name, row[name] ?? null))) },
    ]
  })

  return (copy, next) => {
    const drawn = keys.map(drawAlike)
    const drawnSeed = seed === undefined ? undefined : drawn[keys.indexOf(seed)]
    const stand: Stand = {
      ...copy,
      shift: copy.createdAt - begin,
      ids: ids.map(({ table }) => takeId(next, table)),
      keys: drawn,
      proofid: drawnSeed === undefined ? null : makeProofId(Buffer.from(drawnSeed, 'hex')),
    }
    return plans.map(({ table, columns, cells }) => ({
      table,
      columns,
      rows: cells.map((row) => row.map((make) => make(stand))),
    }))
  }
}

function takeId(next: NextIds, table: FilledTable): number {
  const id = next.get(table) ?? 1
  next.set(table, id + 1)
  return id
}

/** Another random text of the same form. */
function drawAlike(text: string): string {
  const [, folder = '', digits = ''] = HEX.exec(text) ?? []
  return digits === '' ? drawBytes(32).toString('base64url') : folder + drawBytes(digits.length / 2).toString('hex')
}
