import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inTransaction } from '../db/in-transaction.ts'
import type { Db } from '../db/open.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { enqueue, type OutboxBell } from '../outbox/outbox.ts'
import type { BlobStore } from './blob-store.ts'
import { removeBlob } from './remove-blob.ts'

/** Older than any upload or build may take: what is still only intended then belongs to nobody. */
export const ABANDONED_AFTER_MS = 2 * 60 * 60 * 1000

/** Says, before a blob is stored, that it will be; without a row that points at it in time, it is swept. */
export async function recordIntent(db: Db, now: number, key: string): Promise<void> {
  await db.insertInto('blob_intents').values({ key, created_at: now }).execute()
}

/**
 * Ends an intent, in the transaction that makes a row point at the key.
 * @throws AppError `storage_unavailable` when it took so long that the blob was swept: the transaction must not commit.
 */
export async function forgetIntent(transaction: Db, key: string): Promise<void> {
  const { numDeletedRows } = await transaction
    .deleteFrom('blob_intents')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (numDeletedRows !== 1n) throw new AppError('storage_unavailable')
}

/** Ends an intent of which nothing was stored. Where even this fails, the sweep of old intents does it. */
export async function withdrawIntent({ db, logger }: Pick<BlobKeeping, 'db' | 'logger'>, key: string): Promise<void> {
  const withdrawing = db.deleteFrom('blob_intents').where('key', '=', key).execute()
  await withdrawing.catch((cause: unknown) => logger.fail('blobs: an intent was not withdrawn', cause))
}

/** Gives a stored blob up at once instead of at the next sweep. Ring the outbox afterwards. */
export async function abandonIntent(db: Db, now: number, key: string): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('blob_intents')
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 1n) await enqueue(transaction, now, removeBlob({ key }))
  })
}

/** What giving a blob up needs. */
interface BlobKeeping {
  db: Db
  now: () => number
  logger: Logger
  outbox: OutboxBell
}

/** Gives a stored blob up that nothing points at. Where even this fails, the sweep of old intents does it. */
export async function giveUpBlob({ db, now, logger, outbox }: BlobKeeping, key: string): Promise<void> {
  await abandonIntent(db, now(), key).catch((cause: unknown) => logger.fail('blobs: giving a file up failed', cause))
  outbox.ring()
}

/**
 * Moves a file into the store, under a key of its own that is intended before.
 * @param folder Of the store.
 * @param keep Makes a row point at the key and forgets the intent, in one transaction. When it answers false, or anything
 *   fails, nothing is left of the file.
 */
export async function storeBlob(
  deps: BlobKeeping & { blobs: BlobStore },
  folder: string,
  path: string,
  keep: (key: string) => Promise<boolean>,
): Promise<void> {
  const key = `${folder}/${randomBytes(16).toString('hex')}`
  await recordIntent(deps.db, deps.now(), key)
  let isKept = false
  try {
    await deps.blobs.putFile(key, path)
    isKept = await keep(key)
  } finally {
    if (!isKept) await giveUpBlob(deps, key)
  }
}

/** Gives up every intent that has grown old. @returns how many. */
export async function sweepIntents(db: Db, now: number): Promise<number> {
  const abandoned = await db
    .selectFrom('blob_intents')
    .select('key')
    .where('created_at', '<=', now - ABANDONED_AFTER_MS)
    .execute()
  for (const { key } of abandoned) await abandonIntent(db, now, key)
  return abandoned.length
}

/** Removes files on their way in that nobody has touched for long, such as after a crash. @returns how many. */
export async function sweepIncoming(incomingDir: string, now: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(incomingDir)) {
    const path = join(incomingDir, name)
    const touched = await stat(path).catch(() => undefined)
    if (!touched || touched.mtimeMs > now - ABANDONED_AFTER_MS) continue
    await rm(path, { force: true, recursive: true })
    removed += 1
  }
  return removed
}
