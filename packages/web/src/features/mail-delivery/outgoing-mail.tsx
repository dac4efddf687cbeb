import type { MailState } from '@proofdesk/contract/mail-delivery'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { ProblemText } from './problem-text.tsx'
import { TestMail } from './test-mail.tsx'

/** The way mail takes, what waits on it, and the test of it. @param state Absent while it loads. */
export function OutgoingMail({ state }: { state: MailState | undefined }) {
  return (
    <SectionSheet title={m.mail_outgoing_title()}>
      <dl aria-busy={!state} className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Fact name={m.mail_way()}>{state && (state.way === 'smtp' ? m.mail_way_smtp() : m.mail_way_folder())}</Fact>
        <Fact name={state?.way === 'folder' ? m.mail_place_folder() : m.mail_place_smtp()}>
          {state && <UserText className="font-mono text-[0.87rem] wrap-anywhere">{state.place}</UserText>}
        </Fact>
        <Fact name={m.mail_sender()}>{state && <UserText>{state.sender}</UserText>}</Fact>
        <Fact name={m.mail_waiting()}>
          {state && (
            <span className="tabular-nums">
              {state.failing === 0
                ? state.waiting
                : m.mail_waiting_failing({ count: state.waiting, failing: state.failing })}
            </span>
          )}
        </Fact>
        <Fact name={m.mail_last_delivered()}>
          {state &&
            (state.last_delivered_at === null ? m.mail_never_delivered() : <TimeAgo at={state.last_delivered_at} />)}
        </Fact>
        {state?.last_given_up && (
          <Fact name={m.mail_last_given_up()}>
            <GivenUp mail={state.last_given_up} />
          </Fact>
        )}
      </dl>
      <div className="mt-6 border-t border-line pt-5">
        <TestMail way={state?.way} />
      </div>
    </SectionSheet>
  )
}

function GivenUp({ mail }: { mail: NonNullable<MailState['last_given_up']> }) {
  return (
    <div className="grid gap-0.5">
      <span>
        <TimeAgo at={mail.at} />
        {' · '}
        <Sentence say={(place) => m.mail_given_up_to({ recipient: place })} text={mail.recipient} />
      </span>
      <ProblemText problem={mail.problem} words={mail.words} />
    </div>
  )
}

/** Without children its value is still on the way. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs font-semibold text-ink-2">{name}</dt>
      <dd className="mt-1 min-h-6">{children ?? <Skeleton className="w-2/3" />}</dd>
    </div>
  )
}
