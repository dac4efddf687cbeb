import { Popover } from '@base-ui/react/popover'
import type { Notification } from '@proofdesk/contract/notifications'
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { m } from '../../paraglide/messages.js'
import { useMarkRead, useNotifications } from './api.ts'
import { NotificationList } from './notification-list.tsx'
import { targetOf } from './target.ts'

/** Opening it loads the newest 20; choosing one closes it, goes to what it is about and marks it read. */
export function NotificationBell() {
  const [isOpen, setIsOpen] = useState(false)
  const { data, isError, refetch } = useNotifications()
  const markRead = useMarkRead()
  const navigate = useNavigate()
  const unread = data?.filter(({ is_read }) => !is_read).length ?? 0
  const label = unread > 0 ? m.bell_label_unread({ count: unread }) : m.bell_label()

  function toggle(open: boolean) {
    setIsOpen(open)
    if (open) void refetch()
  }

  function choose(notification: Notification) {
    setIsOpen(false)
    markRead.mutate(notification)
    const target = targetOf(notification)
    if (target) void navigate(target.to, { state: target.state })
  }

  return (
    <>
      {/* A button whose name changes is not read out by itself. */}
      <output className="sr-only">{unread > 0 && label}</output>
      <Popover.Root open={isOpen} onOpenChange={toggle}>
        <Popover.Trigger
          aria-label={label}
          title={label}
          className="relative inline-flex size-9.5 items-center justify-center rounded-control border border-line bg-sheet hover:border-line-strong"
        >
          <Bell aria-hidden size={17} strokeWidth={1.8} />
          {unread > 0 && (
            <span aria-hidden className="absolute end-1.5 top-1.5 size-2 rounded-full bg-seal ring-2 ring-sheet" />
          )}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={8} align="end" collisionPadding={12} className="z-30">
            <Popover.Popup
              aria-label={m.bell_label()}
              className="pop max-h-[70dvh] w-80 max-w-[calc(100vw-1.5rem)] overflow-y-auto p-1.5"
            >
              <NotificationList notifications={data} failed={isError} onChoose={choose} />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </>
  )
}
