import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { openShelf } from '../backup/open-shelf.ts'
import { listSnapshots, type Target } from '../backup/open-target.ts'
import type { Shelf } from '../backup/shelf.ts'
import { readConfig, type Config, type Environment } from '../config/config.ts'
import { lockFolder } from '../start/data-lock.ts'
import { nameByWords } from './name-by-words.ts'
import { UsageError } from './terminal.ts'

/** The one place of backups among the words of a command, and its options. @throws UsageError */
export function readPlace<O extends ParseArgsOptionsConfig>(args: string[], options: O, complaint: string) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [place, ...others] = positionals
    if (place !== undefined && others.length === 0) return { place, values }
  } catch {
    // The complaint says what there is.
  }
  throw new UsageError(complaint)
}

/** How many backups are to stay. @throws UsageError */
export function readKeep(text: string | undefined, complaint: string): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(complaint)
  return text === undefined ? undefined : Number(text)
}

/** The settings, and the place of backups that a command names, which is looked at as `BACKUP_DIR` is. @throws StartFailure */
export async function openNamedShelf(
  place: string,
  environment: Environment,
): Promise<{ config: Config; shelf: Shelf }> {
  const words = { BACKUP_DIR: 'The place of backups' }
  const config = nameByWords(words, () => readConfig({ ...environment, BACKUP_DIR: place }))
  const { backupDir, backupBucket } = config
  if (backupDir === undefined) throw new UsageError('A folder or s3://… is missing.')
  return { config, shelf: await openShelf({ backupDir, backupBucket }, lockFolder) }
}

/** The newest snapshot, or the one that was asked for. @throws UsageError */
export async function chooseSnapshot(target: Target, wanted: string | undefined): Promise<string> {
  const snapshots = await listSnapshots(target)
  const chosen = wanted === undefined ? snapshots.at(-1) : snapshots.find((name) => name === wanted)
  if (chosen === undefined)
    throw new UsageError(
      snapshots.length === 0 ? 'There is no whole backup yet.' : `There are these backups: ${snapshots.join(', ')}.`,
    )
  return chosen
}
