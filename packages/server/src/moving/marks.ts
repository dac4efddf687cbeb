import { z } from 'zod'
import { StartFailure } from '../config/start-failure.ts'
import { findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'

/** In a database that is being filled: it counts for nothing until this is taken away, which happens last. */
export const UNFINISHED = 'unfinished_copy'
/** In a database that was copied elsewhere: where to, in words without a secret. */
export const MOVED = 'moved_to'

/** Who fills it, and what with: the same may begin anew. */
export const UnfinishedMark = z.object({
  by: z.enum(['migrate', 'restore']),
  /** Name and key of the log that is copied; for a restore empty, since any backup may be put there. */
  of: z.string(),
})
export type UnfinishedMark = z.infer<typeof UnfinishedMark>

/**
 * Two databases that go on from one moment would give their log two histories, and who signed both can be convicted of it.
 * @throws StartFailure for a database that is half there, or that has gone elsewhere.
 */
export async function refuseMarked(db: Db): Promise<void> {
  const moved = await findFact(db, MOVED)
  if (moved !== undefined)
    throw new StartFailure(
      `This installation was moved to ${moved}: serve it from there. What is left here is what it was then, and must not be used beside it`,
    )
  const unfinished = await findFact(db, UNFINISHED)
  if (unfinished === undefined) return
  const { by } = UnfinishedMark.parse(JSON.parse(unfinished))
  throw new StartFailure(
    `This database is only half filled: \`npm run admin -- ${by}\` has not ended. Run it to its end, or once more with the same words, before anything else`,
  )
}
