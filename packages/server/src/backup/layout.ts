import { z } from 'zod'
import { StartFailure } from '../config/start-failure.ts'

/*
 * A backup is a folder, or a part of a bucket, that many snapshots share:
 *   backup.json                     what it is, and where it is encrypted the salt of its key, with a check of it
 *   files/<key>                     stored files, each once; they never change under their keys
 *   snapshots/<time>/backup.json    a copy of it, since nothing can be opened without the salt
 *   snapshots/<time>/database       the database as it was at one moment
 *   snapshots/<time>/manifest       every file that this moment needs, with its size and hash
 *   snapshots/<time>/keys/<name>    KEYS_DIR, in encrypted backups alone
 * A snapshot counts once its manifest is there, which is written last.
 */

export const DATABASE = 'database'
export const MANIFEST = 'manifest'
export const KEYS = 'keys'

export const MARK = 'backup.json'
export const FILES = 'files'
export const SNAPSHOTS = 'snapshots'
export const filePath = (key: string): string => `${FILES}/${key}`
export const snapshotPath = (name: string, ...parts: string[]): string => [SNAPSHOTS, name, ...parts].join('/')

/** Names of snapshots sort by their time: `2026-11-23T09-30-00-000Z`. */
export const SNAPSHOT_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/**
 * @param newest The name of the newest there is. A clock that once ran ahead has given names of the future: what is made after
 * them is named after them, or it would never count as the newest.
 */
export function nameSnapshot(now: number, newest?: string): string {
  const at = newest === undefined ? now : Math.max(now, timeOf(newest) + 1)
  const name = Number.isNaN(at) ? '' : new Date(at).toISOString().replaceAll(/[:.]/g, '-')
  if (!SNAPSHOT_NAME.test(name)) throw new StartFailure(`No backup can be named after ${newest}: remove that one`)
  return name
}

function timeOf(name: string): number {
  return Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)-/, 'T$1:$2:$3.'))
}

export const Mark = z.object({
  type: z.literal('proofdesk-backup'),
  v: z.literal(1),
  /** Hex; null for a backup that is not encrypted. */
  salt: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  /** Of the key from the passphrase and this salt; those of earlier versions have none. */
  check: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
})
export type Mark = z.infer<typeof Mark>

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const BlobKey = z.string().regex(/^[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/)

/** A file system has it at its root: a disk of its own holds it beside what is put there. */
export const FOUND_AGAIN = 'lost+found'

/** What lies in KEYS_DIR or in a folder of it. Hidden files and the copies that editors and file systems leave are no keys. */
export const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?$/

/** Sizes in bytes and hashes of what is saved, before it is encrypted. */
const Saved = z.object({ size: z.int().min(0), sha256: Sha256 })
export type Saved = z.infer<typeof Saved>

export const Manifest = z.object({
  v: z.literal(1),
  made_at: z.iso.datetime(),
  version: z.string(),
  /** Name and key of the log of the installation; earlier versions did not say it. */
  log: z.string().optional(),
  database: Saved,
  files: z.array(Saved.extend({ key: BlobKey })),
  /** Files that rows pointed at and that were not there, not as the rows say, or not to be read. */
  spoiled: z.array(z.object({ key: BlobKey, why: z.enum(['missing', 'altered', 'unreadable']) })),
  keys: z.array(Saved.extend({ name: z.string().regex(KEY_NAME) })),
})
export type Manifest = z.infer<typeof Manifest>
