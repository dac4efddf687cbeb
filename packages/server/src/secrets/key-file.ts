import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@proofdesk/certify/make-folder'
import { explainDisk, StartFailure } from '../config/start-failure.ts'

/** @returns undefined where there is none. @throws StartFailure */
export async function readKeyFile(dir: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(dir, name), 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartFailure(`The key in KEYS_DIR cannot be read: ${join(dir, name)}: ${explainDisk(cause)}`, { cause })
  }
}

/**
 * Written aside and linked into place when it is durable: of two starts at once one makes it, the other reads it.
 * @returns what stands there then. @throws StartFailure
 */
export async function makeKeyFile(dir: string, name: string, text: string): Promise<string | undefined> {
  const path = join(dir, name)
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await makeFolder(dir)
    const file = await open(part, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(part, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    const folder = await open(dir)
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (cause) {
    throw new StartFailure(`A key cannot be written to KEYS_DIR: ${dir}: ${explainDisk(cause)}`, { cause })
  } finally {
    // Where it cannot be removed either, the reason above is the one to tell.
    await rm(part, { force: true }).catch(() => {})
  }
  return readKeyFile(dir, name)
}
