import type { Person } from '@proofdesk/contract/directory'
import { Check, Minus } from 'lucide-react'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { KeptFocus } from '../../ui/kept-focus.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { listTakeable, nameRight, nameTaking, RIGHTS } from './rights.ts'
import { useTakeRight } from './use-take-right.ts'

/** What they may do here, with a way to end each of it. Giving rights is done in the list. */
export function PersonRights({ person }: { person: Person }) {
  const viewer = useUser()
  const { take, isPending } = useTakeRight(person)
  const takeable = listTakeable(viewer, person)
  return (
    <SectionSheet title={m.person_rights()} lead={m.person_rights_lead()}>
      <KeptFocus rows={[person]}>
        <ul className="divide-y divide-line">
          {RIGHTS.map((right) => {
            const Icon = person[right] ? Check : Minus
            return (
              <li key={right} className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
                <span className="inline-flex items-center gap-2">
                  <Icon aria-hidden size={16} className={person[right] ? 'text-ok' : 'text-ink-2'} />
                  <span className="font-semibold">{nameRight(right)}</span>
                  <span className="text-sm text-ink-2">{person[right] ? m.yes() : m.no()}</span>
                </span>
                {takeable.includes(right) && (
                  <Button
                    kind={right === 'is_active' ? 'danger' : 'plain'}
                    busy={isPending}
                    onClick={() => void take(right)}
                  >
                    {nameTaking(right)}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      </KeptFocus>
    </SectionSheet>
  )
}
