import type { Db } from '../db/open.ts'

export interface ClaimedRow {
  id: number
  payload: string
  /** Failed tries so far. */
  attempts: number
}

/** Kinds that have a row to work on. */
export async function listDueKinds(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('kind')
    .distinct()
    .where('due_at', '<=', now)
    .where(({ eb, or }) => or([eb('held_until', 'is', null), eb('held_until', '<=', now)]))
    .execute()
  return rows.map((row) => row.kind)
}

/** Takes the oldest due row of a kind and holds it. @returns undefined when none is due. */
export async function claimRow(db: Db, kind: string, now: number, holdMs: number): Promise<ClaimedRow | undefined> {
  for (;;) {
    const row = await db
      .selectFrom('outbox')
      .select(['id', 'payload', 'attempts'])
      .where('kind', '=', kind)
      .where('due_at', '<=', now)
      .where(({ eb, or }) => or([eb('held_until', 'is', null), eb('held_until', '<=', now)]))
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!row) return undefined
    const { numUpdatedRows } = await db
      .updateTable('outbox')
      .set({ held_until: now + holdMs })
      .where('id', '=', row.id)
      .where('due_at', '<=', now)
      .where(({ eb, or }) => or([eb('held_until', 'is', null), eb('held_until', '<=', now)]))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) return row
  }
}

export async function extendHold(db: Db, id: number, until: number): Promise<void> {
  await db.updateTable('outbox').set({ held_until: until }).where('id', '=', id).execute()
}

/** @param reason A code or class name, never words with personal data. */
export async function deferRow(db: Db, id: number, dueAt: number, reason: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set(({ eb }) => ({ due_at: dueAt, held_until: null, last_error: reason, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function dropRow(db: Db, id: number): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute()
}

export async function releaseHolds(db: Db): Promise<void> {
  await db.updateTable('outbox').set({ held_until: null }).where('held_until', 'is not', null).execute()
}
