import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { StartFailure } from '../config/start-failure.ts'
import { openCipher, PLAIN, type Cipher, type KeyedCipher } from './cipher.ts'
import { MANIFEST, MARK, Mark, SNAPSHOT_NAME, snapshotPath, SNAPSHOTS } from './layout.ts'
import { limitBytes } from './limit-bytes.ts'
import type { Shelf } from './shelf.ts'

const SALT_BYTES = 16
const MOST_MARK_BYTES = 64 * 1024
/** Each costs the time of a passphrase, and whoever can write there could have put thousands. */
const MOST_COPIES_TRIED = 3

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
    await writeMark(shelf, MARK, await makeMark(passphrase))
  } else if (!(await findMark(shelf, MARK))) {
    const copy = await findCopy(shelf)
    if (!copy && !(await shelf.isThere(MARK)))
      throw new StartFailure(
        `${shelf.name} is not empty and holds no backup of this program: take an empty folder, or an empty part of a bucket`,
      )
    if (copy) await writeMark(shelf, MARK, copy)
  }
  const target = await openTarget(shelf, passphrase)
  const mark = await parseMark(shelf, MARK)
  if (isDeepStrictEqual(mark, target.mark)) return target
  // A copy of it is right: what was altered must not stay what the next backup begins with.
  await shelf.remove(MARK)
  await writeMark(shelf, MARK, target.mark)
  return target
}

async function makeMark(passphrase: string | undefined): Promise<Mark> {
  const mark = { type: 'proofdesk-backup', v: 1, salt: null } as const
  if (passphrase === undefined) return mark
  const salt = randomBytes(SALT_BYTES).toString('hex')
  const { check } = await openCipher(passphrase, salt)
  return { ...mark, salt, check }
}

/** @throws StartFailure where there is no backup, or the passphrase is none or another than that of the backups. */
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
  return { shelf, isEncrypted: true, ...(await findKey(shelf, passphrase, { ...mark, salt })) }
}

/** A mark of encrypted backups. */
type Salted = Mark & { salt: string }

/**
 * The key of the backups. A salt that was altered gives another one, as another passphrase does; the copies tell which it is.
 * @throws StartFailure
 */
async function findKey(shelf: Shelf, passphrase: string, mark: Salted): Promise<{ mark: Mark; cipher: KeyedCipher }> {
  const cipher = await openCipher(passphrase, mark.salt, mark.check)
  if (cipher.check === mark.check) return { mark, cipher }
  const others = await listOtherMarks(shelf, mark)
  for (const other of others.slice(0, MOST_COPIES_TRIED)) {
    const found = await openCipher(passphrase, other.salt, other.check)
    if (found.check === other.check) return { mark: other, cipher: found }
  }
  // That of an earlier version: the first file that is opened tells.
  if (mark.check === undefined) return { mark, cipher }
  throw new StartFailure(
    others.length === 0
      ? `BACKUP_PASSPHRASE is another than that of the backups in ${shelf.name}`
      : `BACKUP_PASSPHRASE is another than that of the backups in ${shelf.name}, or what says how they are encrypted (${MARK}) was altered there`,
  )
}

/** What the backups' copies say otherwise, the newest first. */
async function listOtherMarks(shelf: Shelf, mark: Salted): Promise<Salted[]> {
  const others: Salted[] = []
  for (const snapshot of (await listSnapshots({ shelf })).toReversed()) {
    const copy = await findMark(shelf, snapshotPath(snapshot, MARK))
    if (!copy || copy.salt === null || copy.check === undefined) continue
    const other = { ...copy, salt: copy.salt }
    if (![mark, ...others].some((known) => isDeepStrictEqual(known, other))) others.push(other)
  }
  return others
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
