import type { Kysely } from 'kysely'

/**
 * What shows that the program, and not somebody who can write the database alone, made a proof's row. Rows from before
 * get theirs at the first start, which has the key (`vouch-for-old-proofs.ts`).
 */
export async function addProofMacs(db: Kysely<unknown>): Promise<void> {
  for (const name of ['claim_mac', 'seal_mac']) await db.schema.alterTable('proofs').addColumn(name, 'text').execute()
}
