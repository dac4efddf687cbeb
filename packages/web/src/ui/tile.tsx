import type { LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import { Skeleton } from './spinner.tsx'
import { TONES, type Tone } from './tone.ts'

interface TileFace {
  icon: LucideIcon
  tone: Tone
  word: string
  /** Absent while it is being counted, null when it cannot be told. */
  count?: number | null | undefined
}

const BOX =
  'sheet flex min-h-21 flex-col justify-between gap-3 p-3 text-start transition-colors hover:border-line-strong'

/** A filter: pressed while its rows are the ones shown. */
export function FilterTile({ pressed, onPress, ...face }: TileFace & { pressed: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={`${BOX} aria-pressed:border-brand aria-pressed:bg-brand-wash`}
    >
      <TileContent {...face} />
    </button>
  )
}

/** A way to another screen with how much waits there. */
export function LinkTile({ to, ...face }: TileFace & { to: string }) {
  return (
    <Link to={to} className={`${BOX} no-underline`}>
      <TileContent {...face} />
    </Link>
  )
}

function TileContent({ icon: Icon, tone, word, count }: TileFace) {
  return (
    <>
      <span className="order-last text-sm font-semibold">{word}</span>{' '}
      <span className="flex w-full items-start justify-between gap-2">
        <span aria-hidden className={`flex size-7.5 items-center justify-center rounded-md ${TONES[tone]}`}>
          <Icon size={16} strokeWidth={1.9} />
        </span>
        <span className="order-last font-mono text-lg leading-none tabular-nums">
          {count === undefined ? <Skeleton className="w-6" /> : count}
        </span>
      </span>
    </>
  )
}
