import type { z } from 'zod'

/** A setting is wrong; the message is one line that names it and never shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads one setting.
 * @param expected Told where it does not fit the schema.
 * @throws ConfigError
 */
export type ReadOne = <T>(name: string, schema: z.ZodType<T>, expected: string, fallback: T) => T
