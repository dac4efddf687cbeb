import { rm, writeFile } from 'node:fs/promises'
import type { Deps } from '../../deps.ts'
import { forgetIntent, storeBlob } from '../../blobs/intents.ts'
import { AppError } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { enqueue, HopelessWork } from '../../outbox/outbox.ts'
import { holdCollection } from '../collections/queries.ts'
import { contentEvents } from './events.ts'
import * as queries from './queries.ts'
import type { ContentRecord, StoredThumbnail } from './queries.ts'
import { drawThumbnail } from './work.ts'
import { inTransaction } from '../../db/in-transaction.ts'

/** Tries at one thumbnail when the storage or the database is away; whoever looks later starts anew. */
const MAX_TRIES = 5

/** Has thumbnails drawn for those contents of one collection that nobody has asked for yet. Looking at a list never fails by it. */
export async function wantThumbnails(deps: Deps, records: ContentRecord[]): Promise<void> {
  const missing = records.filter(({ thumbnail_state: state }) => state === 'missing')
  const [first] = missing
  if (!first) return
  const ids = missing.map(({ id }) => id)
  const at = deps.now()
  try {
    await inTransaction(deps.db, async (transaction) => {
      const owner = await holdCollection(transaction, first.collection_id)
      for (const id of await queries.claimMissingThumbnails(transaction, ids))
        await enqueue(transaction, at, drawThumbnail({ content_id: id }, owner?.owner_id))
    })
  } catch (error) {
    deps.logger.fail('thumbnails: asking for some failed', error)
    return
  }
  deps.outbox.ring()
}

/**
 * Does what reads a stored thumbnail. It is no evidence: one that is found to be missing or altered is drawn anew.
 * @throws AppError `thumbnail_not_found` for such a one, and what `work` throws otherwise
 */
export async function redrawSpoiled<T>(
  deps: Deps,
  content: ContentRecord,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isSpoiled = error instanceof AppError && (error.code === 'file_missing' || error.code === 'file_altered')
    if (!isSpoiled) throw error
    await redrawThumbnail(deps, content, key, error.code === 'file_missing' ? 'missing' : 'altered')
    throw new AppError('thumbnail_not_found', { cause: error })
  }
}

async function redrawThumbnail(
  deps: Deps,
  content: ContentRecord,
  key: string,
  found: 'missing' | 'altered',
): Promise<void> {
  const { id, collection_id } = content
  try {
    const isLost = await recordEvents(deps, async (transaction, emit) => {
      const collection = await holdCollection(transaction, collection_id)
      // Another reader may have found it before, and a new one may be there already.
      if (!collection || !(await queries.loseThumbnail(transaction, id, key))) return false
      await emit(contentEvents.thumbnail_settled(collection, [key]))
      return true
    })
    if (!isLost) return
  } catch (error) {
    deps.logger.fail('thumbnails: giving one up failed', error, { content: id })
    return
  }
  deps.logger.warn('a thumbnail is drawn anew', { collection: collection_id, content: id, found })
  await wantThumbnails(deps, [{ ...content, thumbnail_state: 'missing' }])
}

/**
 * Draws one and stores it. A first page that cannot be drawn is an answer; whatever else goes wrong is thrown, to be tried
 * again.
 * @param failures Tries that failed so far.
 */
export async function makeThumbnail(deps: Deps, contentId: number, failures: number): Promise<void> {
  const content = await queries.findContent(deps.db, contentId)
  if (content?.thumbnail_state !== 'pending') return
  try {
    const picture = await drawContent(deps, content)
    if (picture) await storeThumbnail(deps, content, picture)
    else await settleThumbnail(deps, content, 'none')
  } catch (error) {
    if (failures + 1 < MAX_TRIES) throw error
    await queries.settleThumbnail(deps.db, content, 'missing')
    throw new HopelessWork('a thumbnail was not made', { cause: error })
  }
}

async function drawContent({ blobs, certify }: Deps, content: ContentRecord): Promise<Uint8Array | undefined> {
  const local = await blobs.openLocal(content.blob_key)
  try {
    return await certify.drawThumbnail(local.path, content.type)
  } finally {
    await local.release()
  }
}

async function storeThumbnail(deps: Deps, content: ContentRecord, picture: Uint8Array): Promise<void> {
  const path = deps.blobs.temporaryPath()
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', Uint8Array.from(picture))).toString('hex')
  try {
    await writeFile(path, picture, { flag: 'wx', mode: 0o600 })
    await storeBlob(deps, 'thumbnails', path, (key) =>
      settleThumbnail(deps, content, { key, size: picture.length, sha256 }),
    )
  } finally {
    await rm(path, { force: true })
  }
}

/** @returns false when the content was deleted or replaced meanwhile, or another has settled it: then nothing points at the file. */
async function settleThumbnail(
  deps: Deps,
  content: ContentRecord,
  outcome: StoredThumbnail | 'none',
): Promise<boolean> {
  return recordEvents(deps, async (transaction, emit) => {
    // Whoever deletes contents holds their collection too, so none goes between this and the update.
    const collection = await holdCollection(transaction, content.collection_id)
    if (!collection || !(await queries.settleThumbnail(transaction, content, outcome))) return false
    if (outcome !== 'none') await forgetIntent(transaction, outcome.key)
    await emit(contentEvents.thumbnail_settled(collection))
    return true
  })
}
