import { inTransaction } from '../db/in-transaction.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { enqueueAll } from '../outbox/outbox.ts'
import { markNetwork } from './client-network.ts'
import { demandCaller } from './demand-caller.ts'
import type { Event } from './event.ts'
import { forgetViews, insertEntry, insertNotification } from './queries.ts'

/** `secrets` may be missing where nobody's request is answered, as in the shell. */
export interface EventDeps extends Pick<Deps, 'db' | 'now' | 'outbox'> {
  live: Pick<Deps['live'], 'tell'>
  secrets: Deps['secrets'] | undefined
}

/** Says that something has happened, in the transaction in which it does. */
export type Emit = (event: Event) => Promise<void>

/**
 * Runs a transaction with all that follows from what happens in it: audit rows, notifications and outbox rows stand or fall
 * with it; the outbox is rung and the live hints told once it is committed.
 * @param run May run several times, as the work of `inTransaction`.
 * @throws AppError as `demandCaller`, and whatever `run` or the database throws: then nothing has happened and nobody was told.
 */
export async function recordEvents<T>(deps: EventDeps, run: (transaction: Db, emit: Emit) => Promise<T>): Promise<T> {
  const { result, happened } = await inTransaction(deps.db, async (transaction) => {
    await demandCaller(transaction)
    const told: Event[] = []
    const made = await run(transaction, async (event) => {
      await writeDown(deps, transaction, event)
      told.push(event)
    })
    return { result: made, happened: told }
  })
  const kinds = new Set(happened.flatMap(({ work = [] }) => work.map(({ kind }) => kind)))
  if (kinds.size > 0) deps.outbox.ring([...kinds])
  for (const { tell = [] } of happened) for (const change of tell) deps.live.tell(change)
  return result
}

/** For what changes nothing but what follows from it. */
export async function recordEvent(deps: EventDeps, event: Event): Promise<void> {
  await recordEvents(deps, (_transaction, emit) => emit(event))
}

async function writeDown(
  { now, secrets }: EventDeps,
  transaction: Db,
  { name, audit, notify, anew, work = [] }: Event,
): Promise<void> {
  const at = now()
  if (audit)
    await insertEntry(transaction, {
      at,
      actor_id: audit.actor,
      action: name,
      object_kind: audit.object.kind,
      object_id: audit.object.id,
      collection_id: audit.collection ?? null,
      details: JSON.stringify(audit.details ?? {}),
      network: markNetwork(secrets),
    })
  if (notify)
    await insertNotification(transaction, {
      user_id: notify.user,
      type: notify.type,
      path: notify.path,
      title: notify.title,
      file: notify.file ?? null,
      created_at: at,
    })
  if (anew) await forgetViews(transaction, anew.action, anew.object)
  if (work.length > 0) await enqueueAll(transaction, at, work)
}
