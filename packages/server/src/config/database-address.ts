import { z } from 'zod'
import { ConfigError, type ReadOne } from './config-error.ts'
import { isLoopback } from './is-loopback.ts'

const NAME = 'DATABASE_URL'

/** Modes in which nobody is taken for the database unasked, and the two in which that was asked for. */
const SSL_MODES = ['verify-full', 'verify-ca', 'require', 'no-verify', 'disable']

/**
 * A database elsewhere is reached by TLS, its certificate checked, unless the address says otherwise.
 * @param otherHost Where the driver goes when the address names no host.
 * @returns the address with the `sslmode` that holds; undefined when there is none. @throws ConfigError
 */
export function readDatabaseAddress(read: ReadOne, otherHost: string | undefined): string | undefined {
  const text = read<string | undefined>(NAME, z.string(), 'text is expected', undefined)
  if (text === undefined) return undefined
  // What is put behind it would be no part of the address.
  if (text.includes('#')) throw new ConfigError(`${NAME} is wrong: it holds a #, which is written %23 in a password`)
  const url = URL.parse(text)
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new ConfigError(`${NAME} is wrong: postgres://… is expected`)
  const { searchParams: words } = url
  // The driver takes the last of several, and who looks at the address the first.
  const twice = [...words.keys()].find((word) => words.getAll(word).length > 1)
  if (twice !== undefined) {
    const isOurs = twice === 'sslmode' || twice === 'host'
    throw new ConfigError(`${NAME} is wrong: ${isOurs ? twice : 'a parameter'} stands there twice`)
  }
  const mode = words.get('sslmode')
  // Those left out fall back to plain text when somebody in between says so.
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new ConfigError(`${NAME} is wrong: for sslmode one of ${SSL_MODES.join(', ')} is expected`)
  const host = words.get('host') || decodeURIComponent(url.hostname) || otherHost || ''
  if (mode !== null || host === '' || host.startsWith('/') || isLoopback(host)) return text
  words.set('sslmode', 'verify-full')
  // Only the end is written anew: user and password stay as the driver would have read them.
  return `${text.split('?', 1)[0]}?${words.toString()}`
}
