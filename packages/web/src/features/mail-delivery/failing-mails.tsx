import type { FailingMail, MailState } from '@proofdesk/contract/mail-delivery'
import { useMemo } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { DateTime, TimeAgo, useNow } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.ts'
import { UserText } from '../../ui/user-text.tsx'
import { useRetryMails } from './api.ts'
import { sayKind } from './mail-words.ts'
import { ProblemText } from './problem-text.tsx'

export interface FailingMailsProps {
  /** Absent while it loads. */
  state: MailState | undefined
  /** The last try to load it failed. */
  hasFailed: boolean
  onReload: () => void
}

/** Mails that failed at least once and wait for another try. */
export function FailingMails({ state, hasFailed, onReload }: FailingMailsProps) {
  const failures = state?.failures
  const columns = useMemo(() => listColumns(), [])
  const { mutate, isPending } = useRetryMails()
  const retry = () =>
    mutate(undefined, {
      onSuccess: () => showToast(m.mail_retried(), 'success'),
      onError: (error) => showToast(wordsOf(error, m.mail_retry_failed()), 'error'),
    })
  return (
    <section aria-labelledby="failing-mails" className="sheet min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-b border-line p-5 sm:px-6">
        <div className="min-w-0">
          <h2 id="failing-mails" className="font-serif text-xl leading-snug font-semibold">
            {m.mail_stuck_title()}
          </h2>
          <p className="mt-1 text-ink-2">
            {state && state.failing > state.failures.length
              ? m.mail_stuck_more({ shown: state.failures.length, count: state.failing })
              : m.mail_stuck_lead()}
          </p>
        </div>
        {failures && failures.length > 0 && (
          <Button busy={isPending} onClick={retry}>
            {isPending ? m.mail_retrying() : m.mail_retry()}
          </Button>
        )}
      </div>
      <DataTable<FailingMail>
        caption={m.mail_stuck_title()}
        shape="many"
        keepRows={3}
        lines={2}
        columns={columns}
        rows={failures ?? (hasFailed ? [] : undefined)}
        rowKey={({ id }) => id}
        empty={
          failures ? (
            <EmptyState title={m.mail_stuck_empty()} text={m.mail_stuck_empty_text()} />
          ) : (
            <FailedState onRetry={onReload} />
          )
        }
      />
    </section>
  )
}

const listColumns = (): Column<FailingMail>[] => [
  {
    id: 'kind',
    header: m.mail_column_kind(),
    phone: 'title',
    className: 'font-semibold',
    cell: ({ kind }) => sayKind(kind),
  },
  {
    id: 'recipient',
    header: m.mail_column_recipient(),
    phone: 'labelled',
    className: 'text-sm',
    cell: ({ recipient }) => (recipient === null ? null : <UserText>{recipient}</UserText>),
  },
  {
    id: 'created_at',
    header: m.mail_column_since(),
    phone: 'labelled',
    className: 'text-sm',
    cell: ({ created_at: since }) => <TimeAgo at={since} />,
  },
  {
    id: 'attempts',
    header: m.mail_column_attempts(),
    phone: 'labelled',
    className: 'text-sm tabular-nums',
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'next_try_at',
    header: m.mail_column_next(),
    phone: 'labelled',
    className: 'text-sm',
    cell: ({ next_try_at: at }) => <NextTry at={at} />,
  },
  {
    id: 'problem',
    header: m.mail_column_problem(),
    phone: 'line',
    className: 'text-seal @5xl:max-w-80',
    cell: (mail) => <ProblemText problem={mail.problem} words={mail.words} />,
  },
]

function NextTry({ at }: { at: string }) {
  const now = useNow(5000)
  return new Date(at) <= now ? m.mail_next_now() : <DateTime at={at} />
}
