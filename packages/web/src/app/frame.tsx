import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { m } from '../paraglide/messages.js'

export interface FrameProps {
  sidebar?: ReactNode
  /** Content of the top bar. */
  bar: ReactNode
  /** Stands above the screen, e.g. a banner. */
  notice?: ReactNode
  children: ReactNode
}

/** Skip link, top bar, screen and footer. */
export function Frame({ sidebar, bar, notice, children }: FrameProps) {
  return (
    <div className="flex min-h-dvh print:block">
      <a
        href="#main"
        onClick={skipToMain}
        className="print:hidden fixed start-3 top-3 z-90 -translate-y-20 rounded-control bg-brand px-4 py-2 text-on-brand focus:translate-y-0"
      >
        {m.skip_to_content()}
      </a>
      {sidebar}
      <div className="flex min-w-0 grow flex-col">
        <header className="print:hidden sticky top-0 z-20 flex min-h-14 items-center gap-2 border-b border-line bg-paper px-4 max-[24rem]:gap-1 max-[24rem]:px-3 sm:px-6 lg:px-8">
          {bar}
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="peer mx-auto w-full max-w-360 grow px-4 pt-6 pb-16 sm:px-6 lg:px-8 print:p-0"
        >
          <div className="mb-6 grid gap-3 empty:hidden print:hidden">{notice}</div>
          {children}
        </main>
        <Footer />
      </div>
    </div>
  )
}

/** Without an entry in the history: what the one of this screen holds would be lost. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault()
  window.scrollTo(0, 0)
  document.querySelector('main')?.focus({ preventScroll: true })
}

function Footer() {
  return (
    // Below a screen of which something is still to come it is not seen: it would jump when that is there.
    <footer className="print:hidden flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-t border-line px-4 py-4 text-sm text-ink-2 peer-has-[[data-coming]]:invisible sm:px-6 lg:px-8">
      {m.footer_line()}
      <nav aria-label={m.footer_links()} className="-mx-1.5 flex flex-wrap gap-x-2">
        {[
          { to: PATHS.about, word: m.about_title() },
          { to: PATHS.contact, word: m.contact_title() },
          { to: PATHS.privacy, word: m.privacy_title() },
          { to: PATHS.terms, word: m.terms_title() },
        ].map(({ to, word }) => (
          <Link
            key={to}
            to={to}
            className="rounded-md px-1.5 py-1 text-ink-2 underline-offset-3 hover:text-ink hover:underline"
          >
            {word}
          </Link>
        ))}
      </nav>
    </footer>
  )
}

export const BAR_LINK = 'rounded-md px-1.5 py-1 font-[560] text-ink no-underline hover:text-brand'
