import type { AskedWitness, HealthReport } from '@proofdesk/contract/health'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { TimeAgo } from '../../ui/time.tsx'
import { FactList } from './fact-list.tsx'

const WHY: Record<NonNullable<AskedWitness['refusal']>, () => string> = {
  unreachable: m.health_time_why_unreachable,
  slow: m.health_time_why_slow,
  too_long: m.health_time_why_too_long,
  malformed: m.health_time_why_malformed,
  refused: m.health_time_why_refused,
  ahead: m.health_time_why_ahead,
  wrong_signature: m.health_time_why_wrong_signature,
  wrong_time: m.health_time_why_wrong_time,
}

/** Who vouches for times, and of each witness when it did last and why not since. */
export function sayOutsideTime(part: HealthReport['outside_time']): ReactNode {
  const { is_set: isSet, witnesses, waiting, waiting_since: since, witnessed_size: size, witnessed_at: at } = part
  if (!isSet) return m.health_time_none()
  return (
    <>
      {since !== null ? (
        <>
          {m.health_time_waiting({ waiting })} <TimeAgo at={since} />.
        </>
      ) : (
        at !== null && (
          <>
            {m.health_time_witnessed({ size })} <TimeAgo at={at} />.
          </>
        )
      )}
      <FactList facts={witnesses.map((witness) => ({ key: witness.name, words: <Witness witness={witness} /> }))} />
    </>
  )
}

function Witness({ witness: { name, signed_at: at, refusal } }: { witness: AskedWitness }) {
  return (
    <>
      {at === null ? (
        m.health_time_witness_never({ name })
      ) : (
        <>
          {m.health_time_witness({ name })} <TimeAgo at={at} />.
        </>
      )}
      {refusal !== null && ` ${m.health_time_refusal({ why: WHY[refusal]() })}`}
    </>
  )
}
