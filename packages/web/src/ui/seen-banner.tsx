import { useEffect, useRef } from 'react'
import { ErrorBanner } from './banner.tsx'

/**
 * What went wrong with something pressed below it, perhaps far below on a phone: it comes into sight. Not from elsewhere:
 * whoever writes there when a late answer comes is left alone.
 */
export function SeenBanner({ text }: { text: string }) {
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isWriting = document.activeElement?.matches('input, textarea')
    // A statement: newer browsers return a promise, which React would take for a clean-up.
    if (!isWriting || banner.current?.parentElement?.contains(document.activeElement))
      banner.current?.scrollIntoView({ block: 'nearest' })
    // Other words come into sight anew.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text])
  return (
    <div ref={banner} className="scroll-mt-20">
      <ErrorBanner>{text}</ErrorBanner>
    </div>
  )
}
