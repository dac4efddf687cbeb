import { useEffect, useRef } from 'react'
import { ErrorBanner } from './banner.tsx'

/**
 * What went wrong with something pressed below it, perhaps far below on a phone: it comes into sight. Not from elsewhere:
 * whoever writes there when a late answer comes is left alone.
 */
export function SeenBanner({ text }: { text: string }) {
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [shown, at] = [banner.current, document.activeElement]
    if (!shown) return
    if (at === null || at === document.body || shown.parentElement?.contains(at)) {
      // Braces: newer browsers return a promise, which React would take for a clean-up.
      shown.scrollIntoView({ block: 'nearest' })
    }
  }, [text])
  return (
    <div ref={banner} className="scroll-mt-20 scroll-mb-4">
      <ErrorBanner>{text}</ErrorBanner>
    </div>
  )
}
