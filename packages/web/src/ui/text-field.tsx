import type { ComponentProps } from 'react'
import { joinClasses } from './class-names.ts'
import { CONTROL, Field, type FieldFrame } from './field.tsx'

export type TextFieldProps = FieldFrame & Omit<ComponentProps<'input'>, 'id'>

export function TextField({
  label,
  hint,
  error,
  labelHidden = false,
  className,
  type = 'text',
  ...props
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden}>
      {(control) => <input {...props} {...control} type={type} className={joinClasses(CONTROL, className)} />}
    </Field>
  )
}

export type TextAreaProps = FieldFrame & Omit<ComponentProps<'textarea'>, 'id'>

export function TextArea({ label, hint, error, labelHidden = false, className, rows = 3, ...props }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden}>
      {(control) => (
        <textarea {...props} {...control} rows={rows} className={joinClasses(CONTROL, 'resize-y py-2', className)} />
      )}
    </Field>
  )
}

export type SelectFieldProps = FieldFrame & Omit<ComponentProps<'select'>, 'id'>

/** Options come as children. */
export function SelectField({ label, hint, error, labelHidden = false, className, ...props }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden}>
      {(control) => <select {...props} {...control} className={joinClasses(CONTROL, className)} />}
    </Field>
  )
}
