import { parseArgs } from 'node:util'
import { openOrMakeTarget } from '../backup/open-target.ts'
import { pruneBackups } from '../backup/prune-backups.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { readConfig } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { lockFolder } from '../start/data-lock.ts'
import { findPlaces } from './backup-places.ts'
import { UsageError, type Terminal } from './terminal.ts'

/** Adds a backup to a folder, also while the server runs. @returns whether all that it should hold was there and whole. */
export async function backUp(args: string[], terminal: Terminal): Promise<boolean> {
  const { path, keep } = readWords(args)
  const config = readConfig(terminal.environment)
  const places = findPlaces(config)
  const target = await openOrMakeTarget(path, config.backupPassphrase)
  // Whoever prunes must not meet files that another backup has just saved.
  const lock = lockFolder(target.path, 'The folder', `another backup is being added to ${target.path}`)
  try {
    const written = await writeBackup(target, { ...places, keysDir: config.keysDir, version: VERSION }, Date.now())
    for (const { key, why } of written.spoiled) terminal.err(`${key}: ${why}`)
    terminal.out(
      `Saved as ${written.snapshot}: the database, ${written.copied} new files, ${written.kept} saved before.`,
    )
    if (!target.isEncrypted)
      terminal.out(
        `The keys are not in it, since it is not encrypted: copy ${config.keysDir} yourself, or set BACKUP_PASSPHRASE.`,
      )
    const pruned = keep === undefined ? 0 : await pruneBackups(target, keep)
    if (pruned > 0) terminal.out(`Older backups that were removed: ${pruned}.`)
    return written.spoiled.length === 0
  } finally {
    lock.close()
  }
}

function readWords(args: string[]): { path: string; keep: number | undefined } {
  try {
    const { values, positionals } = parseArgs({ args, options: { keep: { type: 'string' } }, allowPositionals: true })
    const [path, ...others] = positionals
    const isRight = values.keep === undefined || /^[1-9]\d{0,3}$/.test(values.keep)
    if (path === undefined || others.length > 0 || !isRight) throw new UsageError('')
    return { path, keep: values.keep === undefined ? undefined : Number(values.keep) }
  } catch {
    throw new UsageError('backup takes a folder, and with --keep how many backups stay.')
  }
}
