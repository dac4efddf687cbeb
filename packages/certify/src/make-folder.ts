import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, its owner's alone. Not `recursive`: that never returns where a file system refuses a folder
 * by saying that its parent is missing.
 */
export async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await make()
  })
}
