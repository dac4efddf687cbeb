import { isBlank } from '@proofdesk/contract/fields'
import { FILE_NAME_MAX_LENGTH } from '@proofdesk/contract/limits'
import { AppError } from '../../errors.ts'

/**
 * A file's name as it was before it went into a form. Browsers write `"` and line ends in it as `%22`, `%0D` and `%0A`, and
 * nothing else so (HTML standard, multipart/form-data encoding); `%` itself stays as it is, so a file that is really called
 * `a%22.png` is sent as `a".png` is. Quotes are the likelier ones, and neither name can do harm: both are cleaned afterwards.
 */
export function readFormFileName(sent: string): string {
  return sent.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')
}

/**
 * The name a file is shown, downloaded and certified under: the last part of what was sent, without anything that
 * could change how it reads (control characters, direction marks) or what it means to a file system. U+200C and U+200D
 * stay: they keep letters apart and join pictures.
 * @throws AppError `file_name_invalid` when nothing is left of it.
 */
export function cleanFileName(sent: string): string {
  const lastPart = sent.split(/[/\\]/).at(-1) ?? ''
  const name = lastPart
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/\p{Z}+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
  if (isBlank(name)) throw new AppError('file_name_invalid')
  return shorten(name)
}

/** Keeps the ending, which tells people what the file is. Counted in code points, so that none is cut apart. */
function shorten(name: string): string {
  const letters = [...name]
  if (letters.length <= FILE_NAME_MAX_LENGTH) return name
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ''
  return letters.slice(0, FILE_NAME_MAX_LENGTH - ending.length).join('') + ending
}
