import { z } from 'zod'
import { claimFact, findFact, replaceFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'

const FACT = 'backup_state'
const At = z.number().nullable()

/** What came of the daily backup; milliseconds since 1970 UTC. */
const BackupState = z.object({
  tried_at: At,
  saved_at: At,
  /** When a restore of it was drilled, and went well. */
  drilled_at: At,
  /** What the last try complained of. */
  problem: z.string().nullable(),
})
export type BackupState = z.infer<typeof BackupState>

const NONE: BackupState = { tried_at: null, saved_at: null, drilled_at: null, problem: null }

export async function readBackupState(reads: Db): Promise<BackupState> {
  const text = await findFact(reads, FACT)
  return text === undefined ? NONE : BackupState.parse(JSON.parse(text))
}

export async function keepBackupState(db: Db, state: BackupState): Promise<void> {
  const text = JSON.stringify(state)
  if (await claimFact(db, FACT, text)) return
  const was = await findFact(db, FACT)
  if (was !== undefined) await replaceFact(db, FACT, was, text)
}
