import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { takeBackAfterRestore } from '../app.ts'
import { openTarget } from '../backup/open-target.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { readConfig } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { openData } from '../start/open-data.ts'
import { chooseSnapshot, findPlaces } from './backup-places.ts'
import { UsageError, type Terminal } from './terminal.ts'

/** Restores a backup into a `DATA_DIR` without a database. @returns whether every file came back as it was saved. */
export async function restore(args: string[], terminal: Terminal): Promise<boolean> {
  const { path, snapshot, withoutKeys } = readWords(args)
  const config = readConfig(terminal.environment)
  const places = findPlaces(config)
  if (existsSync(places.databaseFile))
    throw new StartFailure(
      `There is a database already: ${places.databaseFile}: stop the server and move DATA_DIR away first`,
    )
  const target = await openTarget(path, config.backupPassphrase)
  const chosen = await chooseSnapshot(target, snapshot)
  const keysDir = withoutKeys ? undefined : config.keysDir
  const { spoiled, hasKeys, manifest } = await restoreBackup(target, chosen, { ...places, keysDir })
  const database = await openData(config)
  try {
    await takeBackAfterRestore(database.db)
  } finally {
    await database.close()
  }
  for (const line of spoiled) terminal.err(line)
  terminal.out(`Restored as of ${manifest.made_at}: the database and ${manifest.files.length - spoiled.length} files.`)
  terminal.out('Everybody signs in anew, and links that were mailed before no longer work.')
  if (!hasKeys) terminal.out(`The keys were not restored: put those of this installation into ${config.keysDir}.`)
  return spoiled.length === 0
}

function readWords(args: string[]): { path: string; snapshot: string | undefined; withoutKeys: boolean } {
  try {
    const options = { snapshot: { type: 'string' }, 'without-keys': { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [path, ...others] = positionals
    if (path === undefined || others.length > 0) throw new UsageError('restore takes the folder of a backup.')
    return { path, snapshot: values.snapshot, withoutKeys: values['without-keys'] }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError('restore was not understood.')
  }
}
