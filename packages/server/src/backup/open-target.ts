import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartFailure } from '../config/start-failure.ts'
import { openCipher, PLAIN, type Cipher } from './cipher.ts'
import { MANIFEST, MARK, Mark, SNAPSHOT_NAME, SNAPSHOTS } from './layout.ts'
import { limitBytes } from './limit-bytes.ts'
import type { Shelf } from './shelf.ts'

const SALT_BYTES = 16
const MOST_MARK_BYTES = 64 * 1024

/** Where backups stand, open. */
export interface Target {
  shelf: Shelf
  isEncrypted: boolean
  cipher: Cipher
}

/** Makes it a place of backups when nothing stands there; under its lock. @throws StartFailure */
export async function openOrMakeTarget(shelf: Shelf, passphrase: string | undefined): Promise<Target> {
  if (await shelf.isEmpty()) {
    const salt = passphrase === undefined ? null : randomBytes(SALT_BYTES).toString('hex')
    const mark: Mark = { type: 'proofdesk-backup', v: 1, salt }
    await shelf.write(MARK, [Readable.from([Buffer.from(`${JSON.stringify(mark)}\n`)])])
  } else if (!(await shelf.isThere(MARK)))
    throw new StartFailure(
      `${shelf.name} is not empty and holds no backup of this program: take an empty folder, or an empty part of a bucket`,
    )
  return openTarget(shelf, passphrase)
}

/** @throws StartFailure where there is no backup, or the passphrase does not fit in kind. */
export async function openTarget(shelf: Shelf, passphrase: string | undefined): Promise<Target> {
  const { salt } = await readMark(shelf)
  if (salt === null) {
    if (passphrase !== undefined)
      throw new StartFailure(
        `The backups in ${shelf.name} are not encrypted, and BACKUP_PASSPHRASE is set: where they were, somebody else has put these there; where they never were, unset it, or take another place`,
      )
    return { shelf, isEncrypted: false, cipher: PLAIN }
  }
  if (passphrase === undefined)
    throw new StartFailure(`The backups in ${shelf.name} are encrypted: set BACKUP_PASSPHRASE`)
  return { shelf, isEncrypted: true, cipher: await openCipher(passphrase, salt) }
}

async function readMark(shelf: Shelf): Promise<Mark> {
  try {
    return Mark.parse(JSON.parse(await text((await shelf.read(MARK)).compose(limitBytes(MOST_MARK_BYTES, MARK)))))
  } catch (cause) {
    throw new StartFailure(`${shelf.name} holds no backup of this program`, { cause })
  }
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
