import type { FastifyInstance } from 'fastify'
import type { Db } from './db/open.ts'
import type { Tables } from './db/schema.ts'
import type { Deps } from './deps.ts'
import type { FindCause, FindRecipient, MailCause, Recipient } from './mail/recipient.ts'
import type { EventFunction } from './events/event.ts'
import type { Handler, Tries, WorkKind } from './outbox/outbox.ts'

/** A feature as the house sees it: all that it adds, in one value. */
export interface Feature {
  /** That of its folder here, and of its part in contract and web. */
  name: string
  /** Those it alone writes. */
  tables?: readonly (keyof Tables)[]
  /** What may happen in it, with what follows from each. */
  events?: Readonly<Record<string, EventFunction>>
  /** Binds its calls. */
  routes?: (app: FastifyInstance, deps: Deps) => void
  /** Binds addresses beside the API, where a published format says what they are. */
  addresses?: (app: FastifyInstance, deps: Deps) => void
  /** Work that it does after commits of its own, and of features that stand to its left. */
  work?: readonly Duty[]
  /** The same where the work is to send a mail. */
  mails?: readonly MailDuty[]
  /** Clears away what has run out; every hour. */
  sweep?: (deps: Deps) => Promise<void>
  /** Takes back, in a database that was just restored, what may have been used or ended since its backup. */
  restored?: (transaction: Db) => Promise<void>
  /** Deletes what it keeps about somebody who is erased, beside their collections, proofs and row. */
  forget?: (transaction: Db, person: ErasedPerson) => Promise<void>
  /** Keeps up what follows from time alone; every few seconds. */
  tend?: (deps: Deps) => Promise<void>
}

/** Somebody who is being erased. */
export interface ErasedPerson {
  id: number
  /** Of the address that is proved to be theirs; undefined where none is. */
  emailKey: string | undefined
}

interface Duty {
  of: Handler['of']
  run: (deps: Deps, payload: unknown, tries: Tries) => Promise<void>
}

export interface MailDuty extends Duty {
  findRecipient: FindRecipient
  findCause: FindCause
}

/** @param run May be run again after it has already done its work; is told what became of this row so far. */
export function does<P extends object>(
  of: WorkKind<P>,
  run: (deps: Deps, payload: P, tries: Tries) => Promise<void>,
): Duty {
  // Only what `of` made becomes a row of this kind.
  return { of, run: (deps, payload, tries) => run(deps, payload as P, tries) }
}

/**
 * @param findRecipient For superusers, who see the mails that keep failing.
 * @param findCause Who is told when it cannot be delivered, beside the one it is for.
 */
export function sends<P extends object>(
  of: WorkKind<P>,
  send: (deps: Deps, payload: P) => Promise<void>,
  findRecipient: (reads: Db, payload: P) => Promise<Recipient>,
  findCause: (reads: Db, payload: P) => Promise<MailCause | undefined> = async () => undefined,
): MailDuty {
  return {
    ...does(of, send),
    findRecipient: (reads, payload) => findRecipient(reads, payload as P),
    findCause: (reads, payload) => findCause(reads, payload as P),
  }
}
