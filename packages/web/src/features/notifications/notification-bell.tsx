import type { Notification } from '@proofdesk/contract/notifications'
import { Bell } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { makeLateCode, useLateCode } from '../../ui/late-code.ts'
import { useMarkAllRead, useMarkRead, useNotifications } from './api.ts'
import { targetOf } from './target.ts'

export const WORKING_BELL = makeLateCode(() => import('./working-bell.tsx'))

/**
 * Opening it loads the newest 20; choosing one closes it, goes to what it is about and marks it read. What opens is loaded
 * once the screen stands; a button pressed before that opens then.
 */
export function NotificationBell() {
  const [isOpen, setIsOpen] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const code = useLateCode(WORKING_BELL, isOpen)
  const { data, refetch } = useNotifications()
  const markRead = useMarkRead()
  const markAllRead = useMarkAllRead()
  const popup = useRef<HTMLDivElement>(null)
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

  function readAll() {
    if (!data) return
    // The button goes once nothing is unread: the focus stays in the list.
    popup.current?.focus()
    markAllRead.mutate(data)
  }

  const trigger = {
    'aria-label': label,
    title: label,
    className:
      'relative inline-flex size-9.5 items-center justify-center rounded-control border border-line bg-sheet hover:border-line-strong',
    children: (
      <>
        <Bell aria-hidden size={17} strokeWidth={1.8} />
        {unread > 0 && (
          <span aria-hidden className="absolute end-1.5 top-1.5 size-2 rounded-full bg-seal ring-2 ring-sheet" />
        )}
      </>
    ),
  }

  return (
    <>
      {/* A button whose name changes is not read out by itself. */}
      <output className="sr-only">{unread > 0 && label}</output>
      {code ? (
        <code.WorkingBell
          isOpen={isOpen}
          onToggle={toggle}
          trigger={trigger}
          takesFocus={hasFocus}
          popup={popup}
          notifications={data}
          onChoose={choose}
        >
          {unread > 0 && (
            <div className="mb-1 flex justify-end border-b border-line pb-1">
              <Button kind="quiet" busy={markAllRead.isPending} onClick={readAll} className="text-sm">
                {m.bell_read_all()}
              </Button>
            </div>
          )}
        </code.WorkingBell>
      ) : (
        <button
          {...trigger}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={false}
          onClick={() => toggle(true)}
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
        />
      )}
    </>
  )
}
