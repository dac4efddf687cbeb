import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { TONES, type Tone } from './tone.ts'

export function Badge({ tone, icon: Icon, children }: { tone: Tone; icon: LucideIcon; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-1 text-xs font-semibold whitespace-nowrap ${TONES[tone]}`}
    >
      <Icon aria-hidden size={14} strokeWidth={2} />
      {/* One part, however many pieces it has: a gap stands between parts. */}
      <span>{children}</span>
    </span>
  )
}
