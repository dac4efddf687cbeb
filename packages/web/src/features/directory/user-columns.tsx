import { whyNotSeePerson, type Viewer } from '@proofdesk/contract/permissions'
import type { ManagedUser, UserFlag } from '@proofdesk/contract/directory'
import { ShieldCheck } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { FlagProblem } from './explain-flag-problem.ts'
import { FlagCell } from './flag-cell.tsx'
import { wordOf } from './flag-words.ts'
import { UserMenu } from './user-menu.tsx'

/** The five sortable ones are those of specification section 9. */
export function columnsFor(
  viewer: Viewer,
  onProblem: (problem: FlagProblem | undefined) => void,
): Column<ManagedUser>[] {
  const flagColumn = (flag: UserFlag, isSortable = true): Column<ManagedUser> => ({
    id: flag,
    header: wordOf(flag),
    ...(isSortable && { ordering: flag }),
    phone: 'labelled',
    className: 'items-center',
    cell: (user) => <FlagCell viewer={viewer} user={user} flag={flag} onProblem={onProblem} />,
  })
  return [
    {
      id: 'username',
      header: m.user_name(),
      phone: 'title',
      className: '@5xl:min-w-36',
      cell: (user) => <NameCell viewer={viewer} user={user} />,
    },
    {
      id: 'email',
      header: m.users_column_email(),
      phone: 'line',
      className: 'text-sm @5xl:min-w-36',
      cell: ({ email }) => <UserText>{email}</UserText>,
    },
    flagColumn('is_active'),
    flagColumn('is_email_verified'),
    flagColumn('gfa_is_enabled', false),
    flagColumn('is_admin'),
    flagColumn('is_staff'),
    {
      id: 'date_joined',
      header: m.users_column_joined(),
      ordering: 'date_joined',
      phone: 'labelled',
      className: 'text-sm',
      cell: ({ date_joined: joinedAt }) => <DateTime at={joinedAt} />,
    },
    {
      id: 'actions',
      header: m.column_actions(),
      phone: 'corner',
      isOnScreenOnly: true,
      visible: !whyNotSeePerson(viewer),
      cell: (user) => <UserMenu viewer={viewer} user={user} />,
    },
  ]
}

function NameCell({ viewer, user }: { viewer: Viewer; user: ManagedUser }) {
  const name = `${user.first_name} ${user.last_name}`.trim()
  return (
    <div className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        <UserText>{user.username}</UserText>
        {user.id === viewer.id && <span className="text-sm font-normal text-ink-2">({m.users_you()})</span>}
        {user.is_superuser && (
          <Badge icon={ShieldCheck} tone="brand">
            {m.dashboard_role_superuser()}
          </Badge>
        )}
      </span>
      {name && <UserText className="text-sm wrap-anywhere text-ink-2">{name}</UserText>}
    </div>
  )
}
