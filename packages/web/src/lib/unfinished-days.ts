import type { MessageKey } from '@proofdesk/contract/messages'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'

/** Whether something is typed that is no whole day, or day and time: by its value such a field is empty. */
export const isUnfinished = ({ validity }: HTMLInputElement): boolean => validity.badInput

/** Has a form refuse what is typed as a day and is none: it would be sent as no day at all. */
export function refuseUnfinishedDays<Typed extends FieldValues, Context, Read>(
  resolve: Resolver<Typed, Context, Read>,
): Resolver<Typed, Context, Read> {
  return async (values, context, options) => {
    const resolved = await resolve(values, context, options)
    const faults = Object.entries(options.fields).flatMap(([name, field]) =>
      field?.ref instanceof HTMLInputElement && isUnfinished(field.ref)
        ? [[name, { type: 'unfinished', message: 'birthdate_invalid' satisfies MessageKey }]]
        : [],
    )
    if (faults.length === 0) return resolved
    return { values: {}, errors: { ...resolved.errors, ...Object.fromEntries(faults) } as FieldErrors<Typed> }
  }
}
