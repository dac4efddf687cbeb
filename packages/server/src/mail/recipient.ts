import type { Db } from '../db/open.ts'

/** Whom a mail is for: somebody with an account, or a visitor by their address; undefined when they are gone. */
export type Recipient = { userId: number } | { address: string } | undefined

/** @param payload Of the work that sends the mail. */
export type FindRecipient = (reads: Db, payload: unknown) => Promise<Recipient>

/** Who caused a mail to somebody else by what they did, and what it is about. */
export interface MailCause {
  userId: number
  title: string
  /** Null for a collection that is gone. */
  about: { collection: number | null } | { ticket: number }
}

/** @returns undefined where it follows from no decision or answer of anybody. */
export type FindCause = (reads: Db, payload: unknown) => Promise<MailCause | undefined>

/** Where the work names the person itself. */
export async function findNamedUser(_: Db, { user_id }: { user_id: number }): Promise<Recipient> {
  return { userId: user_id }
}
