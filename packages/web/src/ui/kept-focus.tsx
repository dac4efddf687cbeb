import { useRef, type ReactNode } from 'react'
import { useKeptFocus } from './use-kept-focus.ts'

interface KeptFocusProps {
  /** What the list shows, anew after each change. */
  rows: readonly object[]
  className?: string
  children: ReactNode
}

/** Around a list with its controls: whoever presses one that goes away goes on beside it. See `useKeptFocus`. */
export function KeptFocus({ rows, className = '', children }: KeptFocusProps) {
  const area = useRef<HTMLDivElement>(null)
  const keepFocus = useKeptFocus(area, rows, 'li')
  return (
    // It only listens for where the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-static-element-interactions
    <div ref={area} onFocus={keepFocus} tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </div>
  )
}
