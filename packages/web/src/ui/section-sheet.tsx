import { useId, type ReactNode } from 'react'

export interface SectionSheetProps {
  title: string
  lead?: ReactNode
  /** Beside the title, e.g. a badge. */
  mark?: ReactNode
  children: ReactNode
}

/** A part of a screen on its own sheet, with a heading that names it. */
export function SectionSheet({ title, lead, mark, children }: SectionSheetProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="sheet min-w-0 p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id={id} className="font-serif text-xl leading-snug font-semibold">
          {title}
        </h2>
        {mark}
      </div>
      {lead && <p className="mt-1.5 text-ink-2">{lead}</p>}
      <div className="mt-5">{children}</div>
    </section>
  )
}
