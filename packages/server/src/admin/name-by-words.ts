import { ConfigError } from '../config/config-error.ts'

/**
 * Reads settings of which some came as words of a command: a wrong one is told by the word that was typed, since the setting
 * of that name may well be right.
 * @param words Of the command, by the name of the setting.
 * @throws ConfigError
 */
export function nameByWords<T>(words: Record<string, string>, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause
    const [name = ''] = cause.message.split(' ', 1)
    const word = words[name]
    throw word === undefined ? cause : new ConfigError(`${word}${cause.message.slice(name.length)}`, { cause })
  }
}
