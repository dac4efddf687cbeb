import { useEffect, useRef, type ReactNode } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { useLeftPath } from '../lib/screen-state.tsx'
import { m } from '../paraglide/messages.js'
import { findRowLink, noteRowLink } from './row-links.ts'

export interface PageHeadingProps {
  /** Text for the tab; also the heading unless `children` says more. */
  title: string
  children?: ReactNode
  /** One sentence under the heading. */
  lead?: ReactNode
  className?: string
}

/**
 * The heading of a screen. It names the tab. When the screen is reached from another one, it starts at its top and the
 * heading takes the focus; going back leaves the place to the browser, which knows it, and goes on at the row that led away.
 */
export function PageHeading({ title, children, lead, className = '' }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const leftPath = useLeftPath()
  const { key } = useLocation()
  // The entry of the history that the page was loaded with; one may also come back to it.
  const isFirstScreen = key === 'default' && leftPath === undefined
  const isBack = useNavigationType() === NavigationType.Pop
  useEffect(() => {
    const goOnAt = (isBack && findRowLink(key, leftPath)) || heading.current
    if (!isFirstScreen) goOnAt?.focus({ preventScroll: true })
    if (!isFirstScreen && !isBack) window.scrollTo(0, 0)
    // Only when the screen opens; a new title on the same screen moves nothing.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  useEffect(() => {
    const note = ({ target }: MouseEvent) => noteRowLink(key, target)
    // Before the link leads away.
    document.addEventListener('click', note, true)
    return () => document.removeEventListener('click', note, true)
  }, [key])
  return (
    <div className={className}>
      <title>{`${title} · ${m.product_name()}`}</title>
      <h1
        ref={heading}
        tabIndex={-1}
        className="font-serif text-[1.8rem] leading-[1.15] font-semibold tracking-[-0.015em] wrap-anywhere sm:text-[2rem]"
      >
        {children ?? title}
      </h1>
      {lead && <p className="mt-2 max-w-2xl text-ink-2">{lead}</p>}
    </div>
  )
}
