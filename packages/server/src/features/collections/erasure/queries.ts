import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'

/** A collection that is to be erased, whatever its state. */
export interface ErasableCollection {
  id: number
  owner_id: number
  title: string
  created_at: number
}

const ERASABLE = ['id', 'owner_id', 'title', 'created_at'] as const

export async function findErasable(db: Db, id: number): Promise<ErasableCollection | undefined> {
  return db.selectFrom('collections').select(ERASABLE).where('id', '=', id).executeTakeFirst()
}

/** Makes whoever changes or claims it wait for the end of this transaction, and find it gone. @returns undefined when it is gone. */
export async function holdErasable(transaction: Db, id: number): Promise<ErasableCollection | undefined> {
  return transaction
    .updateTable('collections')
    .set({ revision: sql`revision + 1` })
    .where('id', '=', id)
    .returning(ERASABLE)
    .executeTakeFirst()
}

/** The same of all of one owner. */
export async function holdAllErasable(transaction: Db, ownerId: number): Promise<ErasableCollection[]> {
  return transaction
    .updateTable('collections')
    .set({ revision: sql`revision + 1` })
    .where('owner_id', '=', ownerId)
    .returning(ERASABLE)
    .execute()
}

/**
 * The index of parts of words follows a change of who decided, not of what that person is called.
 * @scans: somebody is erased a few times a year.
 */
export async function indexDecidedAnew(transaction: Db, reviewerId: number): Promise<void> {
  const decided = await transaction
    .selectFrom('collections')
    .select('id')
    .where('reviewer_id', '=', reviewerId)
    .execute()
  for (const { id } of decided)
    for (const reviewer_id of [null, reviewerId])
      await transaction.updateTable('collections').set({ reviewer_id }).where('id', '=', id).execute()
}
