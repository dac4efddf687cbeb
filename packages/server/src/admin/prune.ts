import { openTarget } from '../backup/open-target.ts'
import { pruneBackups } from '../backup/prune-backups.ts'
import { letGoBeforeSignal } from '../backup/signal-end.ts'
import { openNamedShelf, readKeep, readPlace } from './backup-places.ts'
import { UsageError, type Terminal } from './terminal.ts'

const COMPLAINT =
  'prune takes the folder or s3://… of a backup, --keep with how many stay, and maybe --spare with a name.'
const OPTIONS = { keep: { type: 'string' }, spare: { type: 'string' } } as const

/**
 * Removes all but the newest backups of a place. The server does so after the restore of a new one was drilled, so that none
 * that is well goes for one that is not.
 */
export async function prune(args: string[], terminal: Terminal): Promise<boolean> {
  const { place, values } = readPlace(args, OPTIONS, COMPLAINT)
  const keep = readKeep(values.keep, COMPLAINT)
  if (keep === undefined) throw new UsageError(COMPLAINT)
  const { config, shelf } = await openNamedShelf(place, terminal.environment)
  const target = await openTarget(shelf, config.backupPassphrase)
  const lock = await shelf.lock()
  const forget = letGoBeforeSignal(() => lock.close())
  try {
    tellPruned(await pruneBackups(target, keep, values.spare === undefined ? [] : [values.spare]), terminal)
    return true
  } finally {
    await lock.close()
    forget()
  }
}

export function tellPruned(count: number, terminal: Terminal): void {
  if (count > 0) terminal.out(`Older backups that were removed: ${count}.`)
}
