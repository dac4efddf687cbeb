import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Paths of the copies that a server keeps of a bucket's files. */
export async function findCopies(root: string): Promise<string[]> {
  const entries = await readdir(join(root, 'fetched'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Keys of the same, with `_` for `/`, in order. */
export async function listCopies(root: string): Promise<string[]> {
  return (await findCopies(root)).map((path) => basename(path).split('~')[0] ?? '').sort()
}
