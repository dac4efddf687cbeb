import { ConfigError } from './config.ts'
import { maskPrivate } from './log.ts'

/** The server cannot start, for a reason that whoever starts it can mend; the message is the one line they read. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

const WORDS_OF_DISK: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'it cannot be made there',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a file is in its place',
}

/** One line for the person at the terminal: what is wrong, without a stack. */
export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartFailure) return error.message
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'ERR_DLOPEN_FAILED' || /cannot open shared object file/.test(String(message)))
    return `A system library is missing: ${firstLine(String(message))}`
  return `Proofdesk cannot start: ${firstLine(String(message))}`
}

/** Why a folder cannot be used, in words. */
export function explainDisk(error: unknown): string {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException
  return WORDS_OF_DISK[code] ?? code
}

function firstLine(text: string): string {
  return maskPrivate(text.split('\n', 1)[0] ?? '')
}
