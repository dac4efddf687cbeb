import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { foldCase } from '@proofdesk/server/fold-case'
import { ROUND_KINDS } from '@proofdesk/server/rounds'
import { writeFacts } from './filled.ts'
import { makePeople, type Person } from './make-people.ts'
import { prepareCopies, type Copy, type CopiedRows, type NextIds } from './multiply.ts'
import { readPatterns, type Patterns } from './patterns.ts'
import { openPostgresWriter } from './postgres-writer.ts'
import { makeRandom, pick } from './random.ts'
import { readRealOnes, STAFF, type CollectionKind, type RealOnes } from './real-ones.ts'
import { FILLED_TABLES, mustBeNumber, type Cell, type FilledTable } from './row.ts'
import { openSqliteWriter } from './sqlite-writer.ts'
import type { TableWriter } from './table-writer.ts'
import { makeTitle, RARE_TITLES } from './words.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The oldest is so old, the newest from yesterday; in between they come evenly. */
const OLDEST_MS = 3 * 365 * DAY_MS
const APPROVAL_LASTS_MS = 365 * DAY_MS
const COLLECTIONS_OF_OWNER = 20
const PEOPLE_LISTED = 500
const ROWS_AT_ONCE = 5000

export interface FillOptions {
  collections: number
  /** The DATA_DIR that the product made one of everything in. */
  folder: string
  postgresUrl?: string | undefined
}

/**
 * Makes many rows of those that the product wrote: bulk inserts into the tables, with all triggers at work. Certified files
 * exist for those the product made; the trail of what people did holds only these, too.
 */
export async function fillInstance({ folder, postgresUrl, collections }: FillOptions): Promise<void> {
  const real = readRealOnes(folder)
  const writer =
    postgresUrl === undefined
      ? openSqliteWriter(join(folder, 'proofdesk.sqlite'))
      : await openPostgresWriter(postgresUrl)
  try {
    const people = await multiply(writer, real, collections)
    await endRounds(writer)
    await writer.finish()
    const [owner] = people
    if (!owner) throw new Error('nobody was made')
    const others = people.slice(1).filter(({ isStaff }) => !isStaff)
    writeFacts(folder, {
      collections,
      made: sayMaking(),
      owner: { id: owner.id, username: owner.username },
      staff: STAFF,
      people: others.slice(0, PEOPLE_LISTED).map(({ username }) => username),
      certified: real.certified,
    })
  } finally {
    await writer.close()
  }
}

/** Another text as soon as a filling would come out otherwise. */
export function sayMaking(): string {
  const root = dirname(dirname(import.meta.dirname))
  const hash = createHash('sha256')
  for (const pattern of ['packages/server/src/db/migrations/*.ts', 'bench/fill/*.ts'])
    for (const file of globSync(pattern, { cwd: root }).toSorted())
      if (!file.endsWith('.test.ts')) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

export function isFilled(folder: string): boolean {
  return existsSync(join(folder, 'bench.json'))
}

/** @returns the people that were made; the first has twenty collections. */
async function multiply(writer: TableWriter, real: RealOnes, count: number): Promise<Person[]> {
  const patterns = await readPatterns(writer, real)
  const random = makeRandom(count)
  const next: NextIds = await readNextIds(writer)
  const [pattern] = patterns.person.get('users') ?? []
  if (!pattern) throw new Error('the product made nobody')
  // The first owns what is counted on; the second is staff.
  const made = makePeople(pattern, Math.max(100, Math.ceil(count / 20)), next.get('users') ?? 1, random)
  const ownerFirst = [...made.people.filter(({ isStaff }) => !isStaff), ...made.people.filter(({ isStaff }) => isStaff)]
  await writer.insert('users', made.columns, made.rows)
  await multiplyCollections(writer, patterns, { people: ownerFirst, count, random, next })
  await multiplyTickets(writer, patterns, { people: ownerFirst, count: Math.ceil(count / 50), random, next })
  return ownerFirst
}

/**
 * Most files of such an instance do not exist. As in one that has just looked at all of them, the next look is a week away: else what
 * is measured would share the processor with a search that finds nothing but faults.
 */
async function endRounds(writer: TableWriter): Promise<void> {
  const now = Date.now()
  await writer.run('delete from stored_rounds')
  for (const kind of ROUND_KINDS)
    await writer.run(
      `insert into stored_rounds (kind, began_at, reached_id, is_under_way, ended_at) values ('${kind}', ${now}, 0, 0, ${now})`,
    )
}

async function readNextIds(writer: TableWriter): Promise<NextIds> {
  const next: NextIds = new Map()
  for (const table of FILLED_TABLES) {
    const [first] = await writer.read(`select * from ${table} limit 1`)
    if (!first || !('id' in first)) continue
    const [row] = await writer.read(`select max(id) + 1 as id from ${table}`)
    if (row) next.set(table, mustBeNumber(row, 'id'))
  }
  return next
}

interface Multiplying {
  people: Person[]
  count: number
  random: () => number
  next: NextIds
}

async function multiplyCollections(writer: TableWriter, patterns: Patterns, how: Multiplying): Promise<void> {
  const { people, count, random, next } = how
  const [first] = people
  const owners = people.slice(1).filter(({ isStaff }) => !isStaff)
  const staff = people.filter(({ isStaff }) => isStaff)
  const copiers = new Map<CollectionKind, ReturnType<typeof prepareCopies>>()
  const now = Date.now()
  const newest = now - DAY_MS
  const batch = openBatch(writer)
  for (let number = 1; number <= count; number += 1) {
    const createdAt = newest - Math.floor(((count - number) / count) * OLDEST_MS)
    const kind = chooseKind(random())
    let copyOf = copiers.get(kind)
    if (!copyOf) copiers.set(kind, (copyOf = prepareCopies(patterns.collections[kind], 'collections')))
    const isOfFirst = number % Math.floor(count / COLLECTIONS_OF_OWNER) === 0 && first !== undefined
    const title = makeTitle(random, number % Math.floor(count / RARE_TITLES) === 1)
    const copy: Copy = {
      title,
      titleKey: foldCase(title),
      owner: isOfFirst ? first : pick(random, owners),
      reviewer: pick(random, staff),
      createdAt,
      // Two thirds of those with an end are over by now.
      expireTime: kind === 'approved_until' ? createdAt + APPROVAL_LASTS_MS : null,
    }
    await batch.add(copyOf(copy, next))
  }
  await batch.flush()
}

/** Most have been approved, some of them until a time; one in fifty waits for a decision. */
function chooseKind(at: number): CollectionKind {
  if (at < 0.02) return 'in_progress'
  if (at < 0.3) return 'opened'
  if (at < 0.38) return 'answered'
  return at < 0.9 ? 'approved' : 'approved_until'
}

async function multiplyTickets(writer: TableWriter, patterns: Patterns, how: Multiplying): Promise<void> {
  const { people, count, random, next } = how
  const askers = people.slice(1).filter(({ isStaff }) => !isStaff)
  const staff = people.filter(({ isStaff }) => isStaff)
  const waiting = prepareCopies(patterns.tickets.waiting, 'tickets')
  const answered = prepareCopies(patterns.tickets.answered, 'tickets')
  const newest = Date.now() - DAY_MS
  const batch = openBatch(writer)
  for (let number = 1; number <= count; number += 1) {
    const title = makeTitle(random, false)
    const copy: Copy = {
      title,
      titleKey: foldCase(title),
      owner: pick(random, askers),
      reviewer: pick(random, staff),
      createdAt: newest - Math.floor(((count - number) / count) * OLDEST_MS),
      expireTime: null,
    }
    await batch.add((random() < 0.2 ? waiting : answered)(copy, next))
  }
  await batch.flush()
}

/** Gathers rows by table, and writes them in the order of the tables. */
function openBatch(writer: TableWriter) {
  let gathered = new Map<FilledTable, { columns: string[]; rows: Cell[][] }>()
  let count = 0
  async function flush(): Promise<void> {
    const written = gathered
    gathered = new Map()
    count = 0
    for (const table of FILLED_TABLES) {
      const some = written.get(table)
      if (some) await writer.insert(table, some.columns, some.rows)
    }
  }
  return {
    flush,
    add: async (copied: CopiedRows[]) => {
      for (const { table, columns, rows } of copied) {
        const some = gathered.get(table)
        if (some) some.rows.push(...rows)
        else gathered.set(table, { columns, rows: [...rows] })
      }
      count += 1
      if (count >= ROWS_AT_ONCE) await flush()
    },
  }
}
