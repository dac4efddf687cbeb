import type { Saved } from '../backup/layout.ts'
import { openTarget, type Target } from '../backup/open-target.ts'
import { findSaved, putBack } from '../backup/put-back.ts'
import { isReferenced, listKnownSpoiled, listReferencedFiles } from '../backup/queries.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { openStore } from '../blobs/open-store.ts'
import { explainStorage, StartFailure } from '../config/start-failure.ts'
import { deleteProblemOfFile } from '../features/certificates/rounds/queries.ts'
import { deleteSpoiled } from '../features/stored-files/queries.ts'
import { openPresentData } from '../start/open-data.ts'
import { openNamedShelf, readPlace } from './backup-places.ts'
import { findSpoiled } from './find-spoiled.ts'
import { openPreparing } from './prepare-mended.ts'
import { makeShellDeps } from '../events/shell-deps.ts'
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
    const damaged: string[] = []
    const saved = await findSaved(target, spoiled, damaged)
    for (const line of damaged) terminal.err(line)
    const left = new Set(spoiled.map(({ key }) => key))
    const mended = new Set<string>()
    const judged = { looked: new Set(looked.map(({ key }) => key)), spoiled: left, mended }
    const preparing = await openPreparing(makeShellDeps(database.db), blobs, judged)
    let begun = 0
    for (const file of spoiled) {
      const { key } = file
      const copy = saved.get(key)
      const problem = copy ? await putBackOrSay(target, blobs, key, copy) : 'in no backup'
      if (problem !== undefined) {
        terminal.err(`${key}: ${wrong.get(key)}, ${problem}`)
        continue
      }
      left.delete(key)
      mended.add(key)
      // Whoever deleted it meanwhile has deleted it. A deletion that comes later than this look removes the file by itself.
      if (!(await isReferenced(database.reads, file))) await blobs.remove(key)
      begun += await preparing.prepareWith(key)
      // Last: until then the server takes it up again when this is broken off.
      await deleteSpoiled(database.db, [key])
      await deleteProblemOfFile(database.db, key)
      terminal.out(`${key}: ${wrong.get(key)}, put back`)
    }
    begun += await preparing.prepareAll()
    terminal.out(`${looked.length} stored files were looked at: ${mended.size} put back, ${left.size} still spoiled.`)
    if (begun > 0) terminal.out(`Submissions that are prepared after all: ${begun}.`)
    return left.size === 0
  } finally {
    await database.close()
  }
}

/** @returns why it cannot be. @throws StartFailure where nothing can be put back now. */
async function putBackOrSay(target: Target, blobs: BlobStore, key: string, copy: Saved): Promise<string | undefined> {
  try {
    return await putBack(target, blobs, key, copy)
  } catch (cause) {
    const problem = `cannot be put back: ${explainStorage(cause)}`
    const isWell = await blobs.check().then(
      () => true,
      () => false,
    )
    if (cause instanceof StartFailure || !isWell) throw new StartFailure(`${key} ${problem}`, { cause })
    return problem
  }
}
