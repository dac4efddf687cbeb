import { explainDatabase, StartFailure } from '../config/start-failure.ts'
import type { TellTable } from '../db/copy/copy-rows.ts'
import { claimPostgres, releasePostgres } from '../db/copy/claim-postgres.ts'
import { copyToPostgres } from '../db/copy/copy-to-postgres.ts'
import type { ReadSide } from '../db/copy/database-sides.ts'
import { holdPostgres } from '../db/copy/hold-postgres.ts'
import { CopyFailure } from '../db/copy/table-shapes.ts'
import { MOVED, UNFINISHED, type UnfinishedMark } from './marks.ts'
import { namePostgres } from './name-postgres.ts'

/** A PostgreSQL that is being filled, and that no server takes for an installation meanwhile. */
export interface FilledPostgres {
  /** All rows, in the place of what an earlier try may have left. @throws StartFailure */
  fill(from: ReadSide, tell: TellTable): Promise<void>
  /** It is whole: from here on it may be served. */
  release(): Promise<void>
  /** Lets other runs fill it. Once it is released, or given up. */
  close(): Promise<void>
}

/** @throws StartFailure for one that is not empty, and not half filled with the same, or that another run fills. */
export async function beginToFill(url: string, mark: UnfinishedMark): Promise<FilledPostgres> {
  const words = JSON.stringify(mark)
  const held = await orExplain(url, () => holdPostgres(url))
  try {
    await orExplain(url, () => claimPostgres(url, UNFINISHED, words))
  } catch (error) {
    await held.close()
    throw error
  }
  return {
    fill: (from, tell) =>
      orExplain(url, async () => {
        await copyToPostgres(from, url, { [MOVED]: null, [UNFINISHED]: words }, tell)
      }),
    release: () =>
      orExplain(url, async () => {
        await held.mustHold()
        await releasePostgres(url, UNFINISHED)
      }),
    close: () => held.close(),
  }
}

async function orExplain<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StartFailure) throw cause
    const why = cause instanceof CopyFailure ? cause.message : explainDatabase(cause)
    throw new StartFailure(`Nothing can be copied to ${namePostgres(url)}: ${why}`, { cause })
  }
}
