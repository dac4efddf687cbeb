import type { ReactNode } from 'react'
import { Rosette } from './rosette.tsx'

/** Nothing to show: the figure in line colour, what it is, one sentence, one action. */
export function EmptyState({ title, text, action }: { title: string; text?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center justify-center px-6 py-12 text-center">
      <Rosette seed="nothing here" detail="large" className="size-28 text-line-strong" />
      <p className="mt-5 font-serif text-xl font-semibold">{title}</p>
      {text && <p className="mt-2 max-w-md text-ink-2">{text}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}
