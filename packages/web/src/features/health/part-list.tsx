import type { HealthReport } from '@proofdesk/contract/health'
import { CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Skeleton } from '../../ui/spinner.tsx'
import { sayParts, type ShownState } from './part-words.tsx'

const FACES: Record<ShownState, { Icon: LucideIcon; colour: string; word: () => string }> = {
  well: { Icon: CircleCheck, colour: 'text-ok', word: m.health_state_well },
  unset: { Icon: CircleDashed, colour: 'text-ink-2', word: m.health_state_unset },
  watch: { Icon: CircleAlert, colour: 'text-warn', word: m.health_state_watch },
  broken: { Icon: CircleX, colour: 'text-seal', word: m.health_state_broken },
}
const PARTS = 12

/** Each part with how it is, in words and not by colour alone. @param report Absent while it loads. */
export function PartList({ report }: { report: HealthReport | undefined }) {
  if (!report)
    return (
      <ul aria-busy className="sheet divide-y divide-line">
        {Array.from({ length: PARTS }, (_, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- they are all the same
          <li key={at} className="h-20 p-5 sm:px-6">
            <Skeleton className="w-1/2" />
          </li>
        ))}
      </ul>
    )
  return (
    <ul className="sheet divide-y divide-line">
      {sayParts(report).map(({ name, state, text, link }) => {
        const { Icon, colour, word } = FACES[state]
        return (
          <li key={name} className="grid gap-x-6 gap-y-1 p-5 sm:grid-cols-[12rem_minmax(0,1fr)] sm:px-6">
            <div>
              <h2 className="font-semibold">{name}</h2>
              <p className={`mt-0.5 flex items-center gap-1.5 text-sm font-[560] ${colour}`}>
                <Icon aria-hidden size={16} className="shrink-0" />
                {word()}
              </p>
            </div>
            <div>
              <div className="max-w-prose">{text}</div>
              {link && <p className="mt-1 text-sm">{link}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
