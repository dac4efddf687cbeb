import type { ReactNode } from 'react'
import { joinClasses } from './class-names.ts'

export const FACTS = 'grid gap-px overflow-hidden rounded-control border border-line bg-line'

/** One line of a list of facts (`FACTS`). @param isCode Keys and hashes, which read from left to right in every language. */
export function Fact({ name, isCode, children }: { name: string; isCode?: boolean; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 bg-sheet px-3.5 py-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-ink-2">{name}</dt>
      <dd
        dir={isCode ? 'ltr' : undefined}
        className={joinClasses('min-w-0', isCode ? 'font-mono text-[0.85rem] wrap-anywhere' : 'font-[560]')}
      >
        {children}
      </dd>
    </div>
  )
}
