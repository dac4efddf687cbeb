import { rm } from 'node:fs/promises'
import { AppError } from '../errors.ts'

/**
 * Turns every failure of a store into the one word callers know, and leaves no half-written file behind.
 * @param leftover What is removed after a failure.
 */
export async function orUnavailable<T>(leftover: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (leftover !== undefined) await rm(leftover, { force: true }).catch(() => {})
    if (cause instanceof TypeError || cause instanceof AppError) throw cause
    throw new AppError('storage_unavailable', { cause })
  }
}

/** Whether a file of the disk is not there. */
export function isNoFile(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Whether the disk, or what its owner may have of it, has no room left. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && /^(?:ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')
}
