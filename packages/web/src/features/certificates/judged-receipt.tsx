import type { Receipt } from '@proofdesk/proof/receipt'
import { BadgeCheck, CalendarX2, CircleHelp, ShieldAlert } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Fact, FACTS } from '../../ui/fact.tsx'
import { DateTime, formatTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { JudgedReceipt as Judged } from './judge-receipt.ts'
import { VerdictHeading, type Verdict } from './verdict-heading.tsx'

/** What a signed receipt is worth, and what it says. @param name Of its file. */
export function JudgedReceipt({ judged, name }: { judged: Judged; name: string }) {
  const { outcome } = judged
  return (
    <div className="w-full self-start">
      <UserText className="mb-1.5 block text-sm wrap-anywhere text-ink-2">{name}</UserText>
      <VerdictHeading verdict={sayOutcome(judged)} />
      {typeof outcome === 'object' && <Facts receipt={outcome} />}
    </div>
  )
}

function sayOutcome({ outcome, policy: { organisation } }: Judged): Verdict {
  if (outcome === 'newer')
    return { Icon: CircleHelp, colour: 'text-ink-2', title: m.verify_file_newer(), text: m.verify_file_newer_text() }
  if (outcome === 'unsupported')
    return {
      Icon: CircleHelp,
      colour: 'text-ink-2',
      title: m.verify_file_unavailable(),
      text: m.verify_file_unavailable_text(),
    }
  if (typeof outcome === 'string')
    return {
      Icon: ShieldAlert,
      colour: 'text-seal',
      title: m.verify_receipt_broken(),
      text: m.verify_receipt_broken_text({ organisation }),
    }
  const said = { organisation, time: formatTime(toTime(outcome.at)) }
  switch (outcome.verdict) {
    case 'valid':
      return {
        Icon: BadgeCheck,
        colour: 'text-ok',
        title: m.verify_receipt_valid(),
        text: m.verify_receipt_valid_text(said),
      }
    case 'expired':
      return {
        Icon: CalendarX2,
        colour: 'text-warn',
        title: m.verify_receipt_expired(),
        text: m.verify_receipt_expired_text(said),
      }
    case 'revoked':
      return {
        Icon: ShieldAlert,
        colour: 'text-seal',
        title: m.verify_receipt_revoked(),
        text: m.verify_receipt_revoked_text(said),
      }
  }
}

function Facts({ receipt: { proofId, at, sha256, expiresAt, revokedAt } }: { receipt: Receipt }) {
  return (
    <dl className={`mt-6 ${FACTS}`}>
      <Fact name={m.verify_proofid()} isCode>
        {proofId}
      </Fact>
      <Fact name={m.verify_receipt_asked()}>
        <DateTime at={toTime(at)} />
      </Fact>
      <Fact name={m.verify_fact_valid_until()}>
        {expiresAt === null ? m.verify_no_expiry() : <DateTime at={toTime(expiresAt)} />}
      </Fact>
      {revokedAt !== null && (
        <Fact name={m.verify_receipt_revoked_at()}>
          <DateTime at={toTime(revokedAt)} />
        </Fact>
      )}
      <Fact name={m.verify_receipt_sha256()} isCode>
        {sha256}
      </Fact>
    </dl>
  )
}

/** @param seconds since 1970 UTC */
const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString()
