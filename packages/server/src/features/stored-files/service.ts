import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { tellLog } from './judge-kept.ts'
import { isKept, keepSpoiled, type StoredKind } from './queries.ts'

/** A stored file, and the collection whose it is. */
export interface StoredAt {
  kind: StoredKind
  key: string
  collection_id: number
}

type ReportDeps = Pick<Deps, 'db' | 'now' | 'logger'>

/**
 * Does what reads a stored file. One that is found to be missing or altered is named on the health page and in the log
 * from then on, and not only when its turn comes.
 * @throws what `work` throws
 */
export async function reportSpoiled<T>(deps: ReportDeps, file: StoredAt, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'file_missing' || error.code === 'file_altered'))
      await reportFound(deps, file, error.code)
    throw error
  }
}

/** Where one was found by other means. What was deleted with its row meanwhile is not missing. */
export async function reportFound(
  { db, now, logger }: ReportDeps,
  file: StoredAt,
  code: 'file_missing' | 'file_altered',
): Promise<void> {
  const { kind, key, collection_id } = file
  const told = code === 'file_missing' ? 'missing' : 'altered'
  try {
    if (!(await isKept(db, kind, file))) return
    await keepSpoiled(db, { key, kind, collection_id, found_at: now(), told })
    tellLog({ logger }, file, told)
  } catch (error) {
    logger.fail('a spoiled file could not be written down', error, { collection: collection_id })
  }
}
