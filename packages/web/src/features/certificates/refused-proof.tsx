import { Ban, CalendarX2, CircleAlert, SearchX, ShieldAlert, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Rosette } from '../../ui/rosette.tsx'
import { DateTime } from '../../ui/time.tsx'
import type { Refused } from './retrieve.ts'

const ICONS: Record<Refused['reason'], LucideIcon> = {
  'not-found': SearchX,
  incomplete: CircleAlert,
  altered: ShieldAlert,
  revoked: Ban,
  expired: CalendarX2,
  unknown: CircleAlert,
}

/** Why there is no document: a proof that ended is told apart from one that never was. */
export function RefusedProof({ refusal }: { refusal: Refused }) {
  const { reason, title, text } = refusal
  const Icon = ICONS[reason]
  return (
    <div role="alert" className="flex flex-col items-center text-center">
      <span className="relative">
        <Rosette seed={reason} detail="large" className="size-40 text-line-strong" />
        <span className="absolute inset-0 m-auto flex size-14 items-center justify-center rounded-full border border-line bg-seal-wash text-seal">
          <Icon aria-hidden size={26} strokeWidth={1.7} />
        </span>
      </span>
      <h2 className="mt-5 font-serif text-2xl leading-tight font-semibold">{title}</h2>
      <End refusal={refusal} />
      {text && <p className="mt-1.5 max-w-md text-ink-2">{text}</p>}
      {(reason === 'revoked' || reason === 'expired') && (
        <p className="mt-1.5 max-w-md text-ink-2">{m.verify_ended_text()}</p>
      )}
    </div>
  )
}

/** Since when, and why. */
function End({ refusal: { reason, endedAt, revocation } }: { refusal: Refused }) {
  if (endedAt === undefined) return null
  return (
    <p className="mt-1.5 max-w-md font-[560]">
      {reason === 'revoked' ? m.verify_revoked_at() : m.verify_expired_at()} <DateTime at={endedAt} />
      {revocation && <>: {revocation}</>}
    </p>
  )
}
