import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a file that is either there whole, also after a power cut, or not at all: temporary file, fsync, rename, fsync of
 * the folder.
 * @param mode Permission bits of the new file.
 */
export async function writeDurably(path: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
  const temporary = `${path}.part`
  try {
    const file = await open(temporary, 'w', mode)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
