import { m } from '../paraglide/messages.js'

/** Small turning ring; says nothing by itself, since the words beside it do. */
export function Spinner() {
  return (
    <span
      aria-hidden
      className="inline-block size-4 animate-spin rounded-full border-2 border-current border-e-transparent"
    />
  )
}

/** Stands where a whole screen or panel is about to be. */
export function LoadingArea() {
  return (
    <output data-coming className="flex min-h-80 items-center justify-center gap-3 text-ink-2">
      <Spinner />
      {m.loading()}
    </output>
  )
}

/** A grey bar as long as the text that will stand there. */
export function Skeleton({ className = 'w-full' }: { className?: string }) {
  return <span aria-hidden data-coming className={`inline-block h-4 animate-pulse rounded-sm bg-line ${className}`} />
}
