import { parseArgs } from 'node:util'
import { AppError } from '../errors.ts'
import { takeRightFromShell } from '../features/directory/service.ts'
import { makeShellDeps } from '../events/shell-deps.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { withPresentData } from './with-present-data.ts'

/** The words of the command line for what can be taken. */
const RIGHTS = {
  active: 'is_active',
  superuser: 'is_superuser',
  admin: 'is_admin',
  staff: 'is_staff',
} as const

type RightWord = keyof typeof RIGHTS

/** Takes a right away from the shell. @returns false after it told why it did not. */
export async function takeAway(args: string[], terminal: Terminal): Promise<boolean> {
  const { username, word } = readArguments(args)
  try {
    const user = await withPresentData(terminal, ({ db }) =>
      takeRightFromShell(makeShellDeps(db), username, RIGHTS[word]),
    )
    terminal.out(
      word === 'active'
        ? `Deactivated ${user.username} (id ${user.id}); all sessions have ended.`
        : `${user.username} (id ${user.id}) is no longer ${word}.`,
    )
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    terminal.err(error.message)
    return false
  }
}

function readArguments(args: string[]): { username: string; word: RightWord } {
  let values
  try {
    values = parseArgs({ args, options: { username: { type: 'string' }, right: { type: 'string' } } }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? `${error.message.split('. ')[0]}.` : String(error))
  }
  const words = Object.keys(RIGHTS) as RightWord[]
  const word = words.find((known) => known === values.right)
  if (!word) throw new UsageError(`--right is one of ${words.join(', ')}.`)
  if (!values.username) throw new UsageError('--username is missing.')
  return { username: values.username, word }
}
