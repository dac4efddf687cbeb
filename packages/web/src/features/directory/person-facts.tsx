import type { Person } from '@proofdesk/contract/directory'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { EmailBadge } from '../../ui/email-badge.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'

/** Who it is and how they sign in. */
export function PersonFacts({ person }: { person: Person }) {
  const name = `${person.first_name} ${person.last_name}`.trim()
  return (
    <SectionSheet title={m.person_account()} mark={<EmailBadge isVerified={person.is_email_verified} />}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {name && (
          <Fact name={m.person_name()}>
            <UserText className="wrap-anywhere">{name}</UserText>
          </Fact>
        )}
        <Fact name={m.users_column_email()}>
          <UserText className="wrap-anywhere">{person.email}</UserText>
        </Fact>
        {person.recovery_email !== person.email && (
          <Fact name={m.person_recovery_email()}>
            <UserText className="wrap-anywhere">{person.recovery_email}</UserText>
          </Fact>
        )}
        <Fact name={m.users_column_joined()}>
          <DateTime at={person.date_joined} />
        </Fact>
        <Fact name={m.person_last_sign_in()}>
          {person.last_sign_in_at === null ? m.person_never() : <DateTime at={person.last_sign_in_at} />}
        </Fact>
        <Fact name={m.two_factor_title()}>{sayTwoFactor(person)}</Fact>
      </dl>
    </SectionSheet>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-2">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

function sayTwoFactor({ gfa_is_enabled: isEnabled, has_authenticator: hasApp }: Person): string {
  if (isEnabled) return m.two_factor_on()
  return hasApp ? m.person_two_factor_waiting() : m.two_factor_off()
}
