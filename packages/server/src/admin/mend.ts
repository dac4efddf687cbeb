import { openTarget } from '../backup/open-target.ts'
import { findSaved, putBack } from '../backup/put-back.ts'
import { listKnownSpoiled, listReferencedFiles, type ReferencedFile } from '../backup/queries.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { openStore } from '../blobs/open-store.ts'
import type { OpenDatabase } from '../db/open.ts'
import { deleteProblemOfFile } from '../features/certificates/rounds/queries.ts'
import { deleteSpoiled } from '../features/stored-files/queries.ts'
import { prepareAgain } from '../features/submissions/prepare-again.ts'
import { openPresentData } from '../start/open-data.ts'
import { openNamedShelf, readPlace } from './backup-places.ts'
import { findSpoiled } from './find-spoiled.ts'
import { makeShellDeps } from './shell-deps.ts'
import type { Terminal } from './terminal.ts'

const OPTIONS = { known: { type: 'boolean', default: false } } as const

/**
 * Puts stored files that are missing or not as they were stored back from backups, also while the server runs. A backup never
 * makes a file another than its row has it.
 * @returns whether all are as they were stored now
 */
export async function mendFiles(args: string[], terminal: Terminal): Promise<boolean> {
  const { place, values } = readPlace(args, OPTIONS, 'mend takes the folder or s3://… of a backup.')
  const { config, shelf } = await openNamedShelf(place, terminal.environment)
  const target = await openTarget(shelf, config.backupPassphrase)
  const database = await openPresentData(config)
  try {
    const blobs = await openStore(config, { readsAnew: true })
    const looked = values.known ? await listKnownSpoiled(database.reads) : await listReferencedFiles(database.reads)
    const wrong = await findSpoiled(blobs, looked)
    const spoiled = looked.filter(({ key }) => wrong.has(key))
    const saved = await findSaved(target, spoiled)
    const mended: ReferencedFile[] = []
    for (const file of spoiled) {
      const copy = saved.get(file.key)
      const problem = copy ? await putBack(target, blobs, file.key, copy) : 'in no backup'
      if (problem === undefined) mended.push(file)
      else terminal.err(`${file.key}: ${wrong.get(file.key)}, ${problem}`)
    }
    await removeUnneeded(database, blobs, mended)
    for (const { key } of mended) {
      await deleteSpoiled(database.db, [key])
      await deleteProblemOfFile(database.db, key)
      terminal.out(`${key}: ${wrong.get(key)}, put back`)
    }
    await tell(database, { looked: looked.length, mended, left: spoiled.length - mended.length }, terminal)
    return mended.length === spoiled.length
  } finally {
    await database.close()
  }
}

/** Whoever deleted one meanwhile has deleted it. A deletion that comes later than this look removes the file by itself. */
async function removeUnneeded({ reads }: OpenDatabase, blobs: BlobStore, mended: readonly ReferencedFile[]) {
  if (mended.length === 0) return
  const needed = new Set((await listReferencedFiles(reads)).map(({ key }) => key))
  for (const { key } of mended) if (!needed.has(key)) await blobs.remove(key)
}

async function tell(
  database: OpenDatabase,
  { looked, mended, left }: { looked: number; mended: ReferencedFile[]; left: number },
  terminal: Terminal,
): Promise<void> {
  const begun = await prepareAgain(
    makeShellDeps(database.db),
    mended.map(({ key }) => key),
  )
  terminal.out(`${looked} stored files were looked at: ${mended.length} put back, ${left} still spoiled.`)
  if (begun > 0) terminal.out(`Submissions that are prepared after all: ${begun}.`)
}
