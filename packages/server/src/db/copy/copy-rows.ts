import type { ReadSide, WriteSide } from './database-sides.ts'
import { openRowDigest, type RowDigest } from './row-digest.ts'
import { compareShapes, CopyFailure, type TableShape } from './table-shapes.ts'

/** What a table held when it was copied. */
export interface CopiedTable {
  name: string
  rows: number
  /** Over all rows, hex. */
  sum: string
}

/** Is told of each table once it is there. */
export type TellTable = (table: CopiedTable) => void

/**
 * Copies every row of one database into another of the same schema, a table after those that it points at, and sets where
 * each goes on counting its ids.
 * @throws CopyFailure for schemas that differ, and values that the other cannot hold.
 */
async function copyRows(from: ReadSide, to: WriteSide, tell: TellTable): Promise<CopiedTable[]> {
  await mustBeOneSchema(from, to)
  const copied: CopiedTable[] = []
  for (const shape of await to.shapes()) {
    const digest = openRowDigest()
    for await (const rows of from.rows(shape)) {
      await to.write(shape, rows)
      for (const row of rows) digest.add(row)
    }
    const table = sayDigest(shape, digest)
    copied.push(table)
    tell(table)
  }
  for (const [table, id] of await from.lastIds()) if (id > 0) await to.setLastId(table, id)
  return copied
}

/** The same, and reads what was written again. @throws CopyFailure, also for a copy that is not what was copied */
export async function copyAndCompare(from: ReadSide, to: WriteSide, tell: TellTable): Promise<CopiedTable[]> {
  const copied = await copyRows(from, to, tell)
  const wrong = await compareRows(copied, to)
  if (wrong.length > 0) throw new CopyFailure(`the copy is not what was copied: ${wrong.join('; ')}`)
  return copied
}

async function mustBeOneSchema(from: ReadSide, to: ReadSide): Promise<void> {
  const [here, there] = [await from.steps(), await to.steps()]
  const extra = here.find((step) => !there.includes(step)) ?? there.find((step) => !here.includes(step))
  if (extra !== undefined)
    throw new CopyFailure(`the databases are of different versions of Proofdesk: only one has taken the step ${extra}`)
  const differences = compareShapes(await from.shapes(), await to.shapes())
  if (differences.length > 0) throw new CopyFailure(`the databases are not of one schema: ${differences.join('; ')}`)
}

/** Reads a filled database again. @returns names of the tables that do not hold what was copied, each with how they differ. */
export async function compareRows(copied: readonly CopiedTable[], side: ReadSide): Promise<string[]> {
  const shapes = new Map((await side.shapes()).map((shape) => [shape.name, shape]))
  const wrong: string[] = []
  for (const table of copied) {
    const shape = shapes.get(table.name)
    const digest = openRowDigest()
    if (shape) for await (const rows of side.rows(shape)) for (const row of rows) digest.add(row)
    if (digest.rows() !== table.rows)
      wrong.push(`${table.name}: ${table.rows} rows were copied, ${digest.rows()} are there`)
    else if (digest.sum() !== table.sum) wrong.push(`${table.name}: a row is not what was copied`)
  }
  return wrong
}

function sayDigest({ name }: TableShape, digest: RowDigest): CopiedTable {
  return { name, rows: digest.rows(), sum: digest.sum() }
}
