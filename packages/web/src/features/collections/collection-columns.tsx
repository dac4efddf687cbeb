import type { Collection } from '@proofdesk/contract/collections'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import { Lock, LockOpen } from 'lucide-react'
import { Link } from 'react-router'
import { contentPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import type { Column } from '../../ui/data-table.tsx'
import { RosetteCode } from '../../ui/rosette-code.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { RemainingTime } from './remaining-time.tsx'
import { RowMenu, type RowActions } from './row-menu.tsx'
import { StatusBadge } from './status-badge.tsx'

/**
 * The columns of specification section 2 by role.
 * @param saidAt When the rows came, in milliseconds since 1970-01-01 UTC.
 */
export function columnsFor(viewer: Viewer, actions: RowActions, saidAt: number): Column<Collection>[] {
  return [
    {
      id: 'title',
      header: m.collection_column_title(),
      ordering: 'title',
      phone: 'title',
      className: '@5xl:w-1/4 @5xl:min-w-44',
      cell: (collection) => (
        <Link to={contentPath(collection.id)} className="font-semibold text-ink no-underline hover:text-brand">
          <UserText lines={2}>{collection.title}</UserText>
        </Link>
      ),
    },
    {
      id: 'username',
      header: m.user_name(),
      visible: isReviewer(viewer),
      phone: 'labelled',
      className: '@5xl:min-w-24',
      cell: ({ username }) => <UserText>{username}</UserText>,
    },
    {
      id: 'staff',
      header: m.collection_column_staff(),
      visible: viewer.is_superuser,
      phone: 'labelled',
      className: '@5xl:min-w-20',
      cell: ({ admin_username: staff }) => (staff ? <UserText>{staff}</UserText> : null),
    },
    {
      id: 'status',
      header: m.collection_column_status(),
      phone: 'inline',
      cell: (collection) => <StatusBadge collection={collection} />,
    },
    {
      id: 'locked',
      header: m.collection_column_locked(),
      phone: 'inline',
      cell: ({ is_locked: isLocked }) => <LockedIcon isLocked={isLocked} />,
    },
    {
      id: 'proofid',
      header: m.collection_column_proofid(),
      phone: 'line',
      cell: ({ proofid }) => (proofid ? <RosetteCode code={proofid} copyLabel={m.copy_proofid({ proofid })} /> : null),
    },
    {
      id: 'admin_desc',
      header: m.collection_column_admin_desc(),
      phone: 'line',
      className: 'text-sm text-ink-2 @5xl:min-w-36',
      cell: ({ admin_desc: description }) => <UserText className="line-clamp-3 wrap-anywhere">{description}</UserText>,
    },
    {
      id: 'remaining',
      header: m.collection_column_remaining(),
      ordering: 'expire_time',
      phone: 'labelled',
      className: 'text-sm',
      cell: (collection) =>
        collection.proofid === null ? null : <RemainingTime collection={collection} saidAt={saidAt} />,
    },
    {
      id: 'actions',
      header: m.column_actions(),
      phone: 'corner',
      isOnScreenOnly: true,
      cell: (collection) => <RowMenu collection={collection} {...actions} />,
    },
  ]
}

function LockedIcon({ isLocked }: { isLocked: boolean }) {
  const Icon = isLocked ? Lock : LockOpen
  const word = isLocked ? m.locked() : m.unlocked()
  return (
    <span title={word} className={isLocked ? 'text-ink' : 'text-ink-2'}>
      <Icon aria-hidden size={16} strokeWidth={1.8} />
      <span className="sr-only">{word}</span>
    </span>
  )
}
