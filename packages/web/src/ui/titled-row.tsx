import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { UserText } from './user-text.tsx'

export interface TitledRowProps {
  to: string
  title: string
  /** In small print below it. */
  facts: ReactNode
  /** How it stands. */
  badge: ReactNode
}

/** A row of a short list: a title that leads to what it names. */
export function TitledRow({ to, title, facts, badge }: TitledRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2.5">
      <span className="grid min-w-0 grow basis-40">
        <Link to={to} className="line-clamp-2 min-w-0 font-[560] text-ink no-underline hover:text-brand">
          <UserText>{title}</UserText>
        </Link>
        <span className="text-xs text-ink-2">{facts}</span>
      </span>
      {badge}
    </li>
  )
}
