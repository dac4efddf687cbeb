import { IDEMPOTENCY_KEY_SECONDS } from '@proofdesk/contract/limits'
import type { Db } from '../db/open.ts'
import type { MadeOnceRow } from '../db/made-once-table.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { recordEvents, type Emit } from '../events/record-events.ts'
import type { Attempt } from '../http/limits.ts'
import { deleteMadeBy, deleteMadeUntil, findMade, keepMade, type CallName } from './queries.ts'

/** A call that makes something. */
export interface MakingCall {
  kind: MadeOnceRow['kind']
  /** As `nameUser` has it; undefined for who cannot be told from others: then each call makes something. */
  owner: string | undefined
  /** Its Idempotency-Key; undefined where it was sent without: the same. */
  key: string | undefined
  /** What it was sent with, as it was understood. */
  sent: object
}

interface Making<Made> {
  /** Asked and counted before something new is made, and not of what is there already. */
  admit?: () => Promise<Attempt | undefined>
  /** In the transaction that also keeps the name of the call. */
  make: (transaction: Db, emit: Emit) => Promise<Made>
  /** What the same call has made before, as it stands now. @throws AppError when it is gone */
  find: (id: number) => Promise<Made>
}

/** Owner of what a person's calls make. */
export function nameUser(id: number): string {
  return `user ${id}`
}

/**
 * Makes something, with all that follows from it, unless the same call has made it before: then that is looked up, nothing is
 * made, told or counted. Of two at once the database lets one in.
 * @throws AppError `idempotency_key_reused` where something else was sent under the key; whatever the parts of `making` throw.
 */
export async function makeOnce<Made extends { id: number }>(
  deps: Deps,
  call: MakingCall,
  { admit, make, find }: Making<Made>,
): Promise<Made> {
  const named = nameCall(deps, call)
  const findId = async () => named && findSame(deps.db, named)
  const known = await findId()
  if (known !== undefined) return find(known)
  let attempt: Attempt | undefined
  try {
    attempt = await admit?.()
    return await recordEvents(deps, async (transaction, emit) => {
      const made = await make(transaction, emit)
      if (named && !(await keepMade(transaction, { ...named, object_id: made.id, made_at: deps.now() })))
        throw new AppError('idempotency_key_reused')
      return made
    })
  } catch (error) {
    // What another sending of the same call was quicker to make; it may also have taken the last place.
    const id = await findId()
    if (id === undefined) throw error
    await attempt?.forgive()
    return find(id)
  }
}

type NamedCall = CallName & Pick<MadeOnceRow, 'fingerprint'>

function nameCall({ secrets }: Pick<Deps, 'secrets'>, { owner, kind, key, sent }: MakingCall): NamedCall | undefined {
  if (owner === undefined || key === undefined) return undefined
  // Keyed, so that what was sent and is deleted since cannot be guessed from it.
  const fingerprint = secrets.mac(JSON.stringify(sent), 'what a call was sent with')
  return { owner, kind, key, fingerprint }
}

async function findSame(db: Db, { fingerprint, ...name }: NamedCall): Promise<number | undefined> {
  const made = await findMade(db, name)
  if (made && made.fingerprint !== fingerprint) throw new AppError('idempotency_key_reused')
  return made?.object_id
}

/** Forgets calls that nobody sends again. Runs every hour. */
export async function sweepMade({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await deleteMadeUntil(db, now() - IDEMPOTENCY_KEY_SECONDS * 1000)
}

/** In the transaction that erases somebody. */
export async function forgetMade(transaction: Db, userId: number): Promise<void> {
  await deleteMadeBy(transaction, nameUser(userId))
}
