import type { TicketMessage } from '@proofdesk/contract/tickets'
import { useEffect, useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { joinClasses } from '../../ui/class-names.ts'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'

export interface MessageListProps {
  /** Oldest first. */
  messages: TicketMessage[]
  /** Stands for the username of a visitor. */
  visitor: string
  /** Whether the reader is the one who asks: their own side is set off. */
  isAsker: boolean
}

/** Scrolls to the newest message when it opens and when one comes in. */
export function MessageList({ messages, visitor, isAsker }: MessageListProps) {
  const area = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)?.id
  useEffect(() => {
    if (newest !== undefined && area.current) area.current.scrollTop = area.current.scrollHeight
  }, [newest])

  return (
    <div
      ref={area}
      role="log"
      aria-label={m.conversation_messages()}
      // Focusable, so that it can be scrolled from the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="flex grow flex-col overflow-y-auto"
    >
      {messages.length === 0 ? (
        <p className="m-auto p-6 text-center text-ink-2">{m.conversation_empty()}</p>
      ) : (
        <ol className="grid gap-2 p-3">
          {messages.map((message) => (
            <Message key={message.id} message={message} visitor={visitor} isOurs={message.is_admin !== isAsker} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Message({ message, visitor, isOurs }: { message: TicketMessage; visitor: string; isOurs: boolean }) {
  const { username, is_admin: isAdmin, text, created_at: createdAt } = message
  return (
    <li
      className={joinClasses(
        'max-w-[92%] rounded-control border px-3 py-2.5',
        isOurs ? 'ms-auto border-transparent bg-brand-wash' : 'me-auto border-line bg-paper',
      )}
    >
      <p className="flex flex-wrap items-baseline gap-x-1.5">
        <span className="font-semibold">
          <UserText>{username ?? visitor}</UserText>
        </span>
        <span className="text-sm text-ink-2">{isAdmin ? m.message_of_admin() : m.message_of_user()}</span>
      </p>
      <p className="mt-1">
        <UserText className="wrap-anywhere whitespace-pre-wrap">{text}</UserText>
      </p>
      <p className="mt-1 text-xs text-ink-2">
        <DateTime at={createdAt} />
      </p>
    </li>
  )
}
