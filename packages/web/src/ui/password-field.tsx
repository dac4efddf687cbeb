import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { m } from '../paraglide/messages.js'
import { CONTROL, Field, type FieldFrame } from './field.tsx'

export type PasswordFieldProps = FieldFrame & Omit<ComponentProps<'input'>, 'id' | 'type'>

/** A password with a button that shows what was typed. */
export function PasswordField({ label, hint, error, labelHidden = false, ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden}>
      {(control) => (
        <div className="relative">
          <input {...props} {...control} type={isShown ? 'text' : 'password'} className={`${CONTROL} pe-11`} />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label={m.show_typed_password()}
            title={m.show_typed_password()}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 end-0 flex w-10 items-center justify-center rounded-control text-ink-2 hover:text-ink"
          >
            <Icon aria-hidden size={17} strokeWidth={1.8} />
          </button>
        </div>
      )}
    </Field>
  )
}
