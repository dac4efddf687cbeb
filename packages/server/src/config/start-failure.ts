import { ConfigError } from './config-error.ts'
import { AppError } from '../errors.ts'
import { maskPrivate, nameFailure } from '../logger.ts'

/** The server cannot start, for a reason that whoever starts it can mend; the message is the one line they read. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

/** Somebody else is at it: the same may go well a little later. */
export class InUse extends StartFailure {}

/** How a command ends where the same may go well later: EX_TEMPFAIL of sysexits.h. */
export const EXIT_TRY_LATER = 75

/** How `backup` ends when all else is saved, and files that it named were missing, altered or not to be read. */
export const EXIT_SAVED_WITHOUT_SOME = 3

const WORDS_OF_DISK: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'it cannot be made there',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a file is in its place',
  EISDIR: 'a folder is in its place',
  EIO: 'the disk fails there',
}

/** One line for the person at the terminal: what is wrong, without a stack. @param what Failed, where the error does not say it itself. */
export function explainFailure(error: unknown, what = 'Proofdesk cannot start'): string {
  if (error instanceof ConfigError || error instanceof StartFailure) return error.message
  if (error instanceof AppError && error.code === 'database_unavailable')
    return `${what}: the database cannot be used: ${explainDatabase(error)}`
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'ERR_DLOPEN_FAILED' || /cannot open shared object file/.test(String(message)))
    return `A system library is missing: ${firstLine(String(message))}`
  return `${what}: ${firstLine(String(message))}`
}

/** Why a folder cannot be used, in words. */
export function explainDisk(error: unknown): string {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException
  return WORDS_OF_DISK[code] ?? code
}

/** Why a file cannot be read or written, in words; what the disk or the store said stands somewhere among the causes. */
export function explainStorage(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof StartFailure) return at.message
    const words = WORDS_OF_DISK[String((at as NodeJS.ErrnoException).code)]
    if (words) return words
    if (at.cause === undefined) return firstLine(at.message)
  }
  return nameFailure(error)
}

const WORDS_OF_DATABASE: Record<string, string> = {
  ECONNREFUSED: 'nothing answers there',
  ENOENT: 'nothing answers there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'the password is refused',
  '28000': 'the user is refused',
  '3D000': 'there is no such database',
  '42501': 'permission denied',
  '53100': 'its disk is full',
  '53300': 'it has no connection left',
  '57P03': 'it is starting or ending',
}
/** SQLITE_FULL, https://www.sqlite.org/rescode.html */
const SQLITE_FULL = 13

/** Why a database cannot be used, in words; what its driver said stands somewhere among the causes. */
export function explainDatabase(error: unknown): string {
  const causes: unknown[] = []
  for (let at = error; at !== undefined && causes.length < 10; at = (at as Error).cause) causes.push(at)
  for (const cause of causes) {
    const { code, errcode, message } = cause as { code?: unknown; errcode?: unknown; message?: unknown }
    const aboutFile = explainUnreadable(cause as NodeJS.ErrnoException)
    if (aboutFile) return aboutFile
    const words = WORDS_OF_DATABASE[String(code)]
    if (words) return words
    if (errcode === SQLITE_FULL) return 'its disk is full'
    if (code === 'ERR_SQLITE_ERROR') return String(message)
    if (/does not support SSL/i.test(String(message)))
      return 'it offers no encryption; with sslmode=disable in DATABASE_URL it is used without'
    if (/CERT|SIGNATURE|ALTNAME/.test(String(code)))
      return `its certificate does not hold (${nameFailure(cause)}); see sslmode and sslrootcert in DATABASE_URL`
    if (/timeout/i.test(String(message))) return 'it does not answer'
  }
  return nameFailure(causes.at(-1))
}

const WORDS_OF_FILE: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
}

/** A socket that is missing has the same code as a file of certificates that is; what was tried with it tells them apart. */
function explainUnreadable({ code = '', syscall, path }: NodeJS.ErrnoException): string | undefined {
  const words = WORDS_OF_FILE[code]
  if (words === undefined || (syscall !== 'open' && syscall !== 'read')) return undefined
  return `${path === undefined ? 'a file that it needs' : `the file ${path}`} cannot be read: ${words}`
}

function firstLine(text: string): string {
  return maskPrivate(text.split('\n', 1)[0] ?? '')
}
