import { chmodSync, statSync } from 'node:fs'

/** Takes the rights of others away. What is not ours to change, such as a volume's own folder, stays as its owner has it. */
export function keepPrivate(path: string, mode: 0o600 | 0o700): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || (found.mode & 0o077) === 0) return
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (!['EPERM', 'EROFS', 'ENOTSUP'].includes(String((error as NodeJS.ErrnoException).code))) throw error
  }
}
