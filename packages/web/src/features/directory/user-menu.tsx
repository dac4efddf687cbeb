import { whyNotSeePerson, type Viewer } from '@proofdesk/contract/permissions'
import type { ManagedUser } from '@proofdesk/contract/directory'
import { ArrowUpRight, UserRoundX } from 'lucide-react'
import { personPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { OptionsMenu } from '../../ui/menu.tsx'
import { listTakeable, nameTaking } from './rights.ts'
import { useTakeRight } from './use-take-right.ts'

/** The way to one person's screen, and to taking rights away also where the toggles do not show. */
export function UserMenu({ viewer, user }: { viewer: Viewer; user: ManagedUser }) {
  const { take, isPending } = useTakeRight(user)
  if (whyNotSeePerson(viewer)) return null
  return (
    <OptionsMenu
      label={m.users_options({ username: user.username })}
      entries={[
        { label: m.users_open(), icon: ArrowUpRight, to: personPath(user.id) },
        ...listTakeable(viewer, user).map((right) => ({
          label: nameTaking(right),
          icon: UserRoundX,
          danger: true,
          // Until one is taken another would be asked about, and not taken.
          disabled: isPending,
          onSelect: () => void take(right),
        })),
      ]}
    />
  )
}
