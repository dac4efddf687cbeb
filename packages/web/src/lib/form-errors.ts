import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { fieldMessagesOf } from './api-error.ts'

/**
 * Puts the server's messages at the fields they belong to.
 * @returns whether every faulty field has a place in this form; if not, say the rest elsewhere.
 */
export function placeFieldErrors<T extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<T>,
  fields: readonly Path<T>[],
): boolean {
  const faulty = Object.entries(fieldMessagesOf(error))
  const placed = faulty.filter(([name, messages]) => {
    const field = fields.find((path) => path === name)
    if (field) setError(field, { type: 'server', message: messages.join(' ') }, { shouldFocus: true })
    return field !== undefined
  })
  return faulty.length > 0 && placed.length === faulty.length
}
