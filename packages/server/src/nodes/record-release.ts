import { z } from 'zod'
import { VERSION } from '../config/version.ts'
import { claimFact, findFact, replaceFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { defineEvents } from '../events/event.ts'
import { recordEvents } from '../events/record-events.ts'

const FACT = 'release'

const Release = z.object({
  version: z.string(),
  /** When it was started first, milliseconds since 1970 UTC. */
  since: z.number(),
  /** The version that ran before; null where none is known. */
  before: z.string().nullable(),
})
export type Release = z.infer<typeof Release>

export const releaseEvents = defineEvents({
  version_changed: (from: string, to: string) => ({
    audit: { actor: null, object: { kind: 'installation', id: null }, details: { from, to } },
  }),
})

/** Records at the start which version runs, and which one ran before. */
export async function recordRelease(
  deps: Pick<Deps, 'db' | 'now' | 'outbox' | 'live' | 'secrets'>,
  version = VERSION,
): Promise<void> {
  const { db, now } = deps
  const was = await findFact(db, FACT)
  if (was === undefined) await claimFact(db, FACT, JSON.stringify({ version, since: now(), before: null }))
  if (was === undefined) return
  const { version: before } = Release.parse(JSON.parse(was))
  if (before === version) return
  await recordEvents(deps, async (transaction, emit) => {
    // Of several processes that start at once one says so.
    if (await replaceFact(transaction, FACT, was, JSON.stringify({ version, since: now(), before })))
      await emit(releaseEvents.version_changed(before, version))
  })
}

/** @returns undefined before the first start that records it has ended. */
export async function findRelease(reads: Db): Promise<Release | undefined> {
  const text = await findFact(reads, FACT)
  return text === undefined ? undefined : Release.parse(JSON.parse(text))
}
