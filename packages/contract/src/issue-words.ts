import { z } from 'zod'
import type { MessageKey } from './messages.ts'

/** A fault that a schema found, as zod hands it over before it has words. */
type Issue = Parameters<NonNullable<ReturnType<typeof z.config>['customError']>>[0]

/** What is said of a value of the wrong kind, by the kind that was expected. */
const EXPECTED: Partial<Record<string, MessageKey>> = {
  string: 'text_expected',
  number: 'number_expected',
  int: 'number_expected',
  boolean: 'flag_invalid',
}

/** Whether a value counts as left out: a form sends null for what is empty. */
const isMissing = (value: unknown): boolean => value === undefined || value === null

function sayFault(issue: Issue): MessageKey {
  if (issue.code !== 'invalid_type') return issue.code === 'unrecognized_keys' ? 'field_unknown' : 'value_invalid'
  // The whole part is no object: there is no field to speak of.
  if (issue.expected === 'object' && !issue.path?.length) return 'body_expected'
  return isMissing(issue.input) ? 'field_required' : (EXPECTED[issue.expected] ?? 'value_invalid')
}

/** For a schema's `error`: one key for what is missing, another for what is there and of the wrong kind. */
export function sayMissing(missing: MessageKey, wrong: MessageKey): (issue: Issue) => MessageKey {
  return (issue) => (isMissing(issue.input) ? missing : wrong)
}

// Wherever a schema says nothing of its own: the library's words are for programmers.
z.config({ customError: sayFault })
