import type { ChangeEvent, SyntheticEvent } from 'react'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface DateFieldProps extends Omit<TextFieldProps, 'onKeyUp'> {
  type: 'date' | 'datetime-local'
}

/**
 * A day, or a day and time. While that is not complete, or no day of the calendar, it counts as empty, and where it was empty
 * before browsers tell nothing of what is typed: `onChange` is told with each key therefore, and when the field is left.
 */
export function DateField({ onChange, onKeyDown, onBlur, ...field }: DateFieldProps) {
  const tell = (event: SyntheticEvent<HTMLInputElement>) => onChange?.(event as ChangeEvent<HTMLInputElement>)
  return (
    <TextField
      {...field}
      onChange={onChange}
      onKeyDown={(event) => {
        tell(event)
        onKeyDown?.(event)
      }}
      onKeyUp={tell}
      onBlur={(event) => {
        tell(event)
        onBlur?.(event)
      }}
    />
  )
}
