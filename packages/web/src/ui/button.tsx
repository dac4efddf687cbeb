import type { ComponentProps, RefAttributes } from 'react'
import { Link, type LinkProps } from 'react-router'
import { joinClasses } from './class-names.ts'
import { Spinner } from './spinner.tsx'

/** `brand` is the one main act of a screen, `danger` ends or destroys, `quiet` has no border. */
export type ButtonKind = 'plain' | 'brand' | 'danger' | 'quiet'

const BASE =
  'inline-flex min-h-9.5 items-center justify-center gap-2 rounded-control border px-3.5 font-[560] whitespace-nowrap no-underline transition-colors disabled:cursor-not-allowed disabled:opacity-55 print:hidden aria-busy:cursor-progress not-aria-busy:aria-disabled:cursor-not-allowed aria-disabled:opacity-55'

const KINDS: Record<ButtonKind, string> = {
  plain: 'border-line bg-sheet text-ink enabled:hover:border-line-strong',
  brand: 'border-transparent bg-brand text-on-brand hover:bg-[color-mix(in_oklch,var(--brand)_88%,var(--ink))]',
  danger: 'border-transparent bg-seal text-on-brand hover:bg-[color-mix(in_oklch,var(--seal)_88%,var(--ink))]',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-sunk',
}

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind
  /** The work this button started is running: it keeps the focus but cannot be pressed meanwhile. */
  busy?: boolean
  /** It cannot be pressed now: no stop of the Tab key, but it keeps the focus, which a browser takes away from what is `disabled`. */
  'aria-disabled'?: boolean | undefined
}

export function Button({ kind = 'plain', busy = false, type = 'button', className, ...props }: ButtonProps) {
  const { children, onClick, 'aria-disabled': isIdle = false, ...rest } = props
  const isHeld = busy || isIdle
  return (
    <button
      {...rest}
      {...(isIdle && { tabIndex: -1 })}
      type={type}
      aria-disabled={isHeld || undefined}
      aria-busy={busy || undefined}
      // Enter in a field presses the form's button, so this holds back both ways of submitting again.
      onClick={isHeld ? (event) => event.preventDefault() : onClick}
      className={joinClasses(BASE, KINDS[kind], className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** A link to another screen that looks like a button. */
export function ButtonLink({
  kind = 'plain',
  className,
  ...props
}: LinkProps & RefAttributes<HTMLAnchorElement> & { kind?: ButtonKind }) {
  const look = typeof className === 'string' ? className : undefined
  return (
    <Link {...props} className={joinClasses(BASE, KINDS[kind], kind === 'plain' && 'hover:border-line-strong', look)} />
  )
}
