import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartFailure } from '../config/start-failure.ts'
import { openCipher, PLAIN, type Cipher } from './cipher.ts'
import { MANIFEST, MARK, Mark, SNAPSHOT_NAME, snapshotPath, SNAPSHOTS } from './layout.ts'
import { limitBytes } from './limit-bytes.ts'
import type { Shelf } from './shelf.ts'

const SALT_BYTES = 16
const MOST_MARK_BYTES = 64 * 1024

/** Where backups stand, open. */
export interface Target {
  shelf: Shelf
  mark: Mark
  isEncrypted: boolean
  cipher: Cipher
}

/** Makes it a place of backups when nothing stands there; under its lock. @throws StartFailure */
export async function openOrMakeTarget(shelf: Shelf, passphrase: string | undefined): Promise<Target> {
  if (await shelf.isEmpty()) {
    const salt = passphrase === undefined ? null : randomBytes(SALT_BYTES).toString('hex')
    const mark: Mark = { type: 'proofdesk-backup', v: 1, salt }
    await writeMark(shelf, MARK, mark)
  } else if (!(await findMark(shelf, MARK))) {
    const copy = await findCopy(shelf)
    if (!copy && !(await shelf.isThere(MARK)))
      throw new StartFailure(
        `${shelf.name} is not empty and holds no backup of this program: take an empty folder, or an empty part of a bucket`,
      )
    if (copy) await writeMark(shelf, MARK, copy)
  }
  return openTarget(shelf, passphrase)
}

/** @throws StartFailure where there is no backup, or the passphrase does not fit in kind. */
export async function openTarget(shelf: Shelf, passphrase: string | undefined): Promise<Target> {
  const mark = await readMark(shelf)
  const { salt } = mark
  if (salt === null) {
    if (passphrase !== undefined)
      throw new StartFailure(
        `The backups in ${shelf.name} are not encrypted, and BACKUP_PASSPHRASE is set: where they were, somebody else has put these there; where they never were, unset it, or take another place`,
      )
    return { shelf, mark, isEncrypted: false, cipher: PLAIN }
  }
  if (passphrase === undefined)
    throw new StartFailure(`The backups in ${shelf.name} are encrypted: set BACKUP_PASSPHRASE`)
  return { shelf, mark, isEncrypted: true, cipher: await openCipher(passphrase, salt) }
}

/** Without its salt no backup can be opened any more, so each has a copy of it. */
async function readMark(shelf: Shelf): Promise<Mark> {
  try {
    return await parseMark(shelf, MARK)
  } catch (cause) {
    const copy = await findCopy(shelf).catch(() => undefined)
    if (copy) return copy
    throw new StartFailure(`${shelf.name} holds no backup of this program`, { cause })
  }
}

/** That of the newest backup which has one. */
async function findCopy(shelf: Shelf): Promise<Mark | undefined> {
  for (const snapshot of (await listSnapshots({ shelf })).toReversed()) {
    const copy = await findMark(shelf, snapshotPath(snapshot, MARK))
    if (copy) return copy
  }
  return undefined
}

const findMark = (shelf: Shelf, path: string): Promise<Mark | undefined> =>
  parseMark(shelf, path).catch(() => undefined)

async function parseMark(shelf: Shelf, path: string): Promise<Mark> {
  const bytes = (await shelf.read(path)).compose(limitBytes(MOST_MARK_BYTES, path))
  return Mark.parse(JSON.parse(await text(bytes)))
}

export async function writeMark(shelf: Shelf, path: string, mark: Mark): Promise<void> {
  await shelf.write(path, [Readable.from([Buffer.from(`${JSON.stringify(mark)}\n`)])])
}

/** Names of the snapshots that are whole, the newest last. */
export async function listSnapshots({ shelf }: Pick<Target, 'shelf'>): Promise<string[]> {
  const paths = (await shelf.list(SNAPSHOTS)).map((path) => path.split('/'))
  return paths
    .flatMap(([, name = '', file, ...others]) =>
      SNAPSHOT_NAME.test(name) && file === MANIFEST && others.length === 0 ? [name] : [],
    )
    .toSorted()
}
