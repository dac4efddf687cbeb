import type { Notification, NotificationType } from '@proofdesk/contract/notifications'
import {
  BadgeCheck,
  Ban,
  CalendarClock,
  FileX,
  MailX,
  MessageCircle,
  MessageSquareWarning,
  RotateCcw,
  type LucideIcon,
} from 'lucide-react'
import { isolate } from '../../lib/isolate.ts'
import { m } from '../../paraglide/messages.js'
import { TimeAgo } from '../../ui/time.tsx'
import { TONES, type Tone } from '../../ui/tone.ts'
import { UserText } from '../../ui/user-text.tsx'

const FACES: Record<NotificationType, { icon: LucideIcon; tone: Tone }> = {
  APPROVED_COLLECTION: { icon: BadgeCheck, tone: 'ok' },
  REJECTED_COLLECTION: { icon: MessageSquareWarning, tone: 'seal' },
  REMOVED_FILE: { icon: FileX, tone: 'warn' },
  REVOKED_PROOF: { icon: Ban, tone: 'seal' },
  REINSTATED_PROOF: { icon: RotateCcw, tone: 'ok' },
  CHANGED_EXPIRY: { icon: CalendarClock, tone: 'brand' },
  ANSWER_TICKET: { icon: MessageCircle, tone: 'brand' },
  UNDELIVERED_MAIL: { icon: MailX, tone: 'warn' },
  UNDELIVERED_ANSWER: { icon: MailX, tone: 'warn' },
}

export interface NotificationListProps {
  /** Absent while they load, also where that has to be tried again. */
  notifications: Notification[] | undefined
  onChoose: (notification: Notification) => void
}

export function NotificationList({ notifications, onChoose }: NotificationListProps) {
  if (!notifications) return <Line>{m.bell_loading()}</Line>
  if (notifications.length === 0) return <Line>{m.bell_empty()}</Line>
  return (
    <ul className="grid gap-0.5">
      {notifications.map((notification) => (
        <li key={notification.id}>
          <NotificationItem notification={notification} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

function NotificationItem({
  notification,
  onChoose,
}: Pick<NotificationListProps, 'onChoose'> & { notification: Notification }) {
  const { icon: Icon, tone } = FACES[notification.type]
  return (
    <button
      type="button"
      onClick={() => onChoose(notification)}
      className="flex w-full items-center gap-3 rounded-md px-2.5 py-2 text-start hover:bg-sunk"
    >
      <span aria-hidden className={`flex size-8 shrink-0 items-center justify-center rounded-full ${TONES[tone]}`}>
        <Icon size={16} />
      </span>
      <span className="grid min-w-0 grow">
        <span className={`text-sm wrap-anywhere ${notification.is_read ? '' : 'font-bold'}`}>{notification.type}</span>
        {notification.title !== null && (
          <span className="line-clamp-2 text-sm">
            {notification.file === null ? (
              <UserText>{notification.title}</UserText>
            ) : (
              m.bell_file_of({ file: isolate(notification.file), title: isolate(notification.title) })
            )}
          </span>
        )}
        <span className="text-xs text-ink-2">
          <TimeAgo at={notification.created_at} />
        </span>
      </span>
      {!notification.is_read && (
        <span className="size-2 shrink-0 rounded-full bg-brand">
          <span className="sr-only">{m.bell_unread()}</span>
        </span>
      )}
    </button>
  )
}

function Line({ children }: { children: string }) {
  return <output className="block px-3 py-6 text-center text-ink-2">{children}</output>
}
