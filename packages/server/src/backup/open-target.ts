import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { writeDurably } from '@proofdesk/certify/write-durably'
import { StartFailure } from '../config/start-failure.ts'
import { openCipher, PLAIN, type Cipher } from './cipher.ts'
import { Mark, markPath, SNAPSHOT_NAME, snapshotPath, snapshotsPath, MANIFEST } from './layout.ts'

const SALT_BYTES = 16

/** A folder of backups, open. */
export interface Target {
  path: string
  isEncrypted: boolean
  cipher: Cipher
}

/** Makes it a folder of backups when it is empty or missing. @throws StartFailure */
export async function openOrMakeTarget(path: string, passphrase: string | undefined): Promise<Target> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const names = await readdir(path)
  if (names.length === 0) {
    const salt = passphrase === undefined ? null : randomBytes(SALT_BYTES).toString('hex')
    const mark: Mark = { type: 'proofdesk-backup', v: 1, salt }
    await writeDurably(markPath(path), Buffer.from(`${JSON.stringify(mark)}\n`))
  }
  return openTarget(path, passphrase)
}

/** @throws StartFailure where there is no backup, or the passphrase does not fit in kind. */
export async function openTarget(path: string, passphrase: string | undefined): Promise<Target> {
  const { salt } = await readMark(path)
  if (salt === null) {
    if (passphrase !== undefined)
      throw new StartFailure(
        `The backups in ${path} are not encrypted: unset BACKUP_PASSPHRASE, or take another folder`,
      )
    return { path, isEncrypted: false, cipher: PLAIN }
  }
  if (passphrase === undefined) throw new StartFailure(`The backups in ${path} are encrypted: set BACKUP_PASSPHRASE`)
  return { path, isEncrypted: true, cipher: await openCipher(passphrase, salt) }
}

async function readMark(path: string): Promise<Mark> {
  try {
    return Mark.parse(JSON.parse(await readFile(markPath(path), 'utf8')))
  } catch (cause) {
    throw new StartFailure(`${path} holds no backup of this program`, { cause })
  }
}

/** Names of the snapshots that are whole, the newest last. */
export async function listSnapshots({ path }: Pick<Target, 'path'>): Promise<string[]> {
  const names = await readdir(snapshotsPath(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const whole = await Promise.all(
    names
      .filter((name) => SNAPSHOT_NAME.test(name))
      .map(async (name) => ((await readdir(snapshotPath(path, name))).includes(MANIFEST) ? [name] : [])),
  )
  return whole.flat().toSorted()
}
