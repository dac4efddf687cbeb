import { PANEL_HEIGHT_PX } from '@proofdesk/contract/limits'
import type { Ticket } from '@proofdesk/contract/tickets'
import { Ban, Lock, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { Rosette } from '../../ui/rosette.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { useConversation, useMarkTicketRead, useTicket } from './api.ts'
import type { Asker } from './asker.ts'
import { LockButton } from './lock-button.tsx'
import { MessageForm } from './message-form.tsx'
import { MessageList } from './message-list.tsx'
import { TicketBadge } from './ticket-face.tsx'

export interface ConversationPanelProps {
  asker: Asker
  ticketId: number
  onLeave: () => void
}

/** What was said in the chosen ticket, and a field to say more. */
export function ConversationPanel({ asker, ticketId, onLeave }: ConversationPanelProps) {
  const { data: ticket, error, refetch } = useTicket(asker, ticketId)
  return (
    <section
      aria-labelledby="conversation"
      className="sheet flex flex-col overflow-hidden xl:sticky xl:top-18"
      style={{ height: PANEL_HEIGHT_PX }}
    >
      {ticket && <PanelHead ticket={ticket} onLeave={onLeave} />}
      {ticket && <Conversation asker={asker} ticket={ticket} />}
      {!ticket && !error && <LoadingArea />}
      {!ticket && error && (
        <div className="grid justify-items-start gap-3 p-4">
          <h2 id="conversation" className="sr-only">
            {m.message_label()}
          </h2>
          <ErrorBanner>{wordsOf(error, m.conversation_failed())}</ErrorBanner>
          <div className="flex flex-wrap gap-2">
            <RetryButton onClick={() => void refetch()} />
            <Button onClick={onLeave}>{m.conversation_leave()}</Button>
          </div>
        </div>
      )}
    </section>
  )
}

/** The heading takes the focus when a ticket is chosen: on a phone it stands below the list. */
function PanelHead({ ticket, onLeave }: { ticket: Ticket; onLeave: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirstScreen = useLocation().key === 'default'
  useEffect(() => {
    if (!isFirstScreen && heading.current) goOnAt(heading.current)
    // Only when another ticket is chosen.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ticket.id])
  return (
    <div className="grid gap-2 border-b border-line p-3 ps-4">
      <div className="flex items-start gap-2">
        <h2
          id="conversation"
          ref={heading}
          tabIndex={-1}
          className="line-clamp-3 min-w-0 grow py-1 font-serif text-xl leading-snug font-semibold outline-none"
        >
          <Sentence say={(title) => m.conversation_title({ title })} text={ticket.title} />
        </h2>
        <IconButton icon={X} label={m.conversation_leave()} framed={false} onClick={onLeave} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <TicketBadge ticket={ticket} />
        <LockButton ticket={ticket} />
      </div>
    </div>
  )
}

/** Where it stands below the list all of it comes into sight: the field for a message is its last line. */
function goOnAt(heading: HTMLElement): void {
  const isBelow = heading.getBoundingClientRect().top > window.innerHeight / 2
  heading.focus({ preventScroll: isBelow })
  if (isBelow) heading.closest('section')?.scrollIntoView({ block: 'start' })
}

function Conversation({ asker, ticket }: { asker: Asker; ticket: Ticket }) {
  const { data, dataUpdatedAt, error, refetch } = useConversation(asker, ticket.id)
  const { mutate: markRead } = useMarkTicketRead(asker, ticket.id)
  const seen = data?.length ?? 0
  useEffect(() => {
    // With each look: a mark that failed is set at the next one.
    if (ticket.is_unread && dataUpdatedAt > 0) markRead(seen)
  }, [ticket.is_unread, seen, dataUpdatedAt, markRead])
  return (
    <>
      <div className="flex min-h-0 grow flex-col">
        {data && <MessageList messages={data} visitor={ticket.email} isAsker={ticket.is_own} />}
        {!data && !error && <LoadingArea />}
        {!data && error && (
          <div className="grid justify-items-start gap-3 p-4">
            <ErrorBanner>{wordsOf(error, m.conversation_failed())}</ErrorBanner>
            <RetryButton onClick={() => void refetch()} />
          </div>
        )}
      </div>
      <ConversationEnd asker={asker} ticket={ticket} />
    </>
  )
}

/** The form where one may write, else why not. */
function ConversationEnd({ asker, ticket }: { asker: Asker; ticket: Ticket }) {
  if (ticket.is_locked) return <EndLine icon={Lock} words={m.ticket_closed()} />
  if (!ticket.may.write) return <EndLine icon={Ban} words={m.ticket_not_allowed()} />
  return <MessageForm asker={asker} ticketId={ticket.id} />
}

function EndLine({ icon: Icon, words }: { icon: typeof Ban; words: string }) {
  return (
    <p className="flex items-center gap-2 border-t border-line bg-sunk px-4 py-3.5 text-ink-2">
      <Icon aria-hidden size={16} className="shrink-0" />
      {words}
    </p>
  )
}

/** Stands beside the list while no ticket is chosen. */
export function ConversationPlace() {
  return (
    <div
      className="sheet hidden flex-col items-center xl:sticky xl:top-18 justify-center gap-4 p-6 text-center text-ink-2 xl:flex"
      style={{ height: PANEL_HEIGHT_PX }}
    >
      <Rosette seed="conversation" detail="large" className="size-28 text-line-strong" />
      <p>{m.conversation_unchosen()}</p>
    </div>
  )
}
