import { z } from 'zod'
import { claimFact, findFact, replaceFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'

const FACT = 'backup_state'
const At = z.number().nullable()

/** What came of the daily backup; milliseconds since 1970 UTC. */
const BackupState = z.object({
  /** Since when a daily backup is set. */
  due_since: At.default(null),
  tried_at: At,
  /** Since when each try has found somebody else at the place of the backups. */
  busy_since: At.default(null),
  /** When the last try did. */
  busy_at: At.default(null),
  saved_at: At,
  /** Where to: the setting of that time. */
  saved_to: z.string().nullable().default(null),
  /** When a restore of it was drilled, and went well. */
  drilled_at: At,
  /** Name of the snapshot that was drilled then. */
  drilled_snapshot: z.string().nullable().default(null),
  /** What the last try complained of. */
  problem: z.string().nullable(),
  /** Which process makes one now, and until when that counts unless it says so again. */
  held_by: z.string().nullable().default(null),
  held_until: At.default(null),
})
export type BackupState = z.infer<typeof BackupState>

const NONE: BackupState = {
  due_since: null,
  tried_at: null,
  busy_since: null,
  busy_at: null,
  saved_at: null,
  saved_to: null,
  drilled_at: null,
  drilled_snapshot: null,
  problem: null,
  held_by: null,
  held_until: null,
}

export async function readBackupState(reads: Db): Promise<BackupState> {
  const text = await findFact(reads, FACT)
  return text === undefined ? NONE : BackupState.parse(JSON.parse(text))
}

/** Each that fails has let another process through, and each of those changes it once a minute at most. */
const TRIES = 10

/**
 * Changes it; where somebody else does at the same time, what they made of it.
 * @param change What becomes of it; undefined: nothing. It may be asked several times.
 * @returns whether it was changed.
 */
export async function changeBackupState(
  db: Db,
  change: (was: BackupState) => BackupState | undefined,
): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const text = await findFact(db, FACT)
    const next = change(text === undefined ? NONE : BackupState.parse(JSON.parse(text)))
    if (next === undefined) return false
    const written = JSON.stringify(next)
    const isWritten = text === undefined ? claimFact(db, FACT, written) : replaceFact(db, FACT, text, written)
    if (await isWritten) return true
  }
  return false
}
