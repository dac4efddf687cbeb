import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Registration } from '@proofdesk/contract/auth'
import { sayIssue } from '@proofdesk/contract/messages'
import type { Role } from '@proofdesk/contract/users'
import { readConfig } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { openData } from '../start/open-data.ts'
import { openPasswords } from '../secrets/passwords.ts'
import { StartFailure } from '../config/start-failure.ts'
import { createAccount } from '../features/users/service.ts'
import { makeShellDeps } from '../events/shell-deps.ts'
import { UsageError, type Terminal } from './terminal.ts'

const ROLES = ['user', 'staff', 'admin', 'superuser'] as const satisfies readonly Role[]

/** What the rules of registration say of an account that somebody else makes: names and phone number may be missing. */
const Account = Registration.omit({ birthdate: true }).partial({
  first_name: true,
  last_name: true,
  phone_number: true,
})

const FLAG_OF_FIELD: Record<string, string> = {
  username: '--username',
  email: '--email',
  password: '--password',
  first_name: '--first-name',
  last_name: '--last-name',
  phone_number: '--phone-number',
}

/** Makes an account from the shell. @returns false after it told why it did not. */
export async function createUser(args: string[], terminal: Terminal): Promise<boolean> {
  const { values, role } = readArguments(args)
  const password = await readPassword(values, terminal)
  if (values.password !== undefined && values.password !== '-')
    terminal.err(
      'Others on this machine can read a password on the command line, and npm writes it into its log: use --password -',
    )
  const checked = Account.safeParse({
    username: values.username,
    email: values.email,
    password,
    // Scripts may hold an empty one.
    first_name: values['first-name'] || undefined,
    last_name: values['last-name'] || undefined,
    phone_number: values['phone-number'] || undefined,
  })
  if (!checked.success) {
    for (const issue of checked.error.issues)
      terminal.err(`${FLAG_OF_FIELD[String(issue.path[0])] ?? 'create-user'}: ${sayIssue(issue.message)}`)
    return false
  }
  const database = await openData(readConfig(terminal.environment))
  try {
    const deps = { ...makeShellDeps(database.db), passwords: openPasswords() }
    const { first_name = '', last_name = '', phone_number = '', ...account } = checked.data
    const user = await createAccount(deps, {
      ...account,
      first_name,
      last_name,
      phone_number,
      birthdate: null,
      role,
      isEmailVerified: values.verified ?? false,
      origin: 'shell',
    })
    terminal.out(`Made ${role} ${user.username} (id ${user.id}).`)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    for (const [field, messages] of Object.entries(error.fields))
      terminal.err(`${FLAG_OF_FIELD[field] ?? field}: ${messages.join(' ')}`)
    if (Object.keys(error.fields).length === 0) terminal.err(error.message)
    return false
  } finally {
    await database.close()
  }
}

function readArguments(args: string[]) {
  let values
  try {
    values = parseArgs({
      args,
      options: {
        username: { type: 'string' },
        email: { type: 'string' },
        password: { type: 'string' },
        'password-file': { type: 'string' },
        role: { type: 'string' },
        'first-name': { type: 'string' },
        'last-name': { type: 'string' },
        'phone-number': { type: 'string' },
        verified: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? `${error.message.split('. ')[0]}.` : String(error))
  }
  const role = ROLES.find((known) => known === values.role)
  if (!role) throw new UsageError(`--role is one of ${ROLES.join(', ')}.`)
  for (const name of ['username', 'email'] as const) if (!values[name]) throw new UsageError(`--${name} is missing.`)
  if (values.password !== undefined && values['password-file'] !== undefined)
    throw new UsageError('--password and --password-file do not go together.')
  if (values.password === undefined && values['password-file'] === undefined)
    throw new UsageError('--password is missing.')
  return { values, role }
}

/** Without the line feed that editors and `echo` put at the end. */
async function readPassword(
  values: { password?: string | undefined; 'password-file'?: string | undefined },
  terminal: Terminal,
): Promise<string> {
  const file = values['password-file']
  if (file !== undefined) {
    const content = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new StartFailure('--password-file: the file cannot be read', { cause })
    })
    return content.replace(/\r?\n$/, '')
  }
  if (values.password !== '-') return values.password ?? ''
  return (await text(terminal.input)).replace(/\r?\n$/, '')
}
