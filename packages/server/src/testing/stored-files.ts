import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { pathOfBlob } from '../blobs/disk.ts'
import type { Deps } from '../deps.ts'

const INCOMING = 'incoming'
/** A newer head of the log may be on its way in at any time; it is there within a moment. */
const LOOKS = 20
const LOOK_EVERY_MS = 50

/** Where the original of a content lies. */
export async function findOriginal(
  { deps: { db }, config }: { deps: Pick<Deps, 'db'>; config: Pick<Config, 'dataDir'> },
  content: number,
): Promise<string> {
  const { blob_key } = await db
    .selectFrom('contents')
    .select('blob_key')
    .where('id', '=', content)
    .executeTakeFirstOrThrow()
  return pathOfBlob(config.dataDir, blob_key)
}

/** Every file of the store, also those that stay on their way in, but for the log's last head; paths relative to the data folder. */
export async function listStoredFiles(place: { config: Pick<Config, 'dataDir'> }): Promise<string[]> {
  for (let looks = 1; ; looks += 1) {
    const found = await lookAtFiles(place)
    if (looks === LOOKS || !found.some((path) => path.startsWith(`${INCOMING}/`))) return found
    await pause(LOOK_EVERY_MS)
  }
}

async function lookAtFiles({ config }: { config: Pick<Config, 'dataDir'> }): Promise<string[]> {
  const found: string[] = []
  for (const folder of ['blobs', INCOMING])
    for (const entry of await readdir(join(config.dataDir, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) found.push(join(entry.parentPath, entry.name).slice(config.dataDir.length + 1))
  return found.filter((path) => path !== 'blobs/log/guard').sort()
}

/** Blob keys that some row points at, as paths of the same kind. */
export async function listExpectedFiles({ deps: { db } }: { deps: Pick<Deps, 'db'> }): Promise<string[]> {
  const contents = await db.selectFrom('contents').select(['blob_key', 'thumbnail_key']).execute()
  const proofs = await db.selectFrom('proofs').select(['revision0_key', 'sealed_key']).execute()
  const submissions = await db.selectFrom('submissions').select('document_key').execute()
  const keys = [
    ...contents.flatMap((row) => [row.blob_key, row.thumbnail_key]),
    ...proofs.flatMap((row) => [row.revision0_key, row.sealed_key]),
    ...submissions.map((row) => row.document_key),
  ]
  return keys.flatMap((key) => (key === null ? [] : [`blobs/${key}`])).sort()
}
