import type { Collection } from '@proofdesk/contract/collections'
import { m } from '../../paraglide/messages.js'
import { getLocale } from '../../paraglide/runtime.js'
import { formatTime, useNow } from '../../ui/time.tsx'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** From here on hours no longer matter to anybody. */
const WHOLE_DAYS_FROM_MS = 7 * DAY_MS
const TICK_MS = 10 * SECOND_MS

export interface RemainingTimeProps {
  collection: Pick<Collection, 'expire_time' | 'remaining_approval_time' | 'proofid'>
  /** When the server said so, in milliseconds since 1970-01-01 UTC by this device's clock. */
  saidAt: number
}

/** How long an approval lasts still; counts down by itself. Goes by the server's clock, not by this device's. */
export function RemainingTime({ collection, saidAt }: RemainingTimeProps) {
  const ticked = useNow(TICK_MS).getTime()
  const { remaining_approval_time: seconds, expire_time: expireTime, proofid } = collection
  if (seconds === null || expireTime === null) return proofid ? m.remaining_never() : null
  // What the server has just said is newer than the last tick: that it is over shows at once, with the status.
  const left = saidAt + seconds * SECOND_MS - Math.max(ticked, saidAt)
  return (
    <time dateTime={expireTime} title={formatTime(expireTime)} className="whitespace-nowrap">
      {left > 0 ? formatRemaining(left) : m.remaining_over()}
    </time>
  )
}

/** In days, hours or minutes, and the next smaller unit while that still matters. @param ms more than 0 */
export function formatRemaining(ms: number): string {
  if (ms >= WHOLE_DAYS_FROM_MS) return formatUnit(ms / DAY_MS, 'day')
  if (ms >= DAY_MS) return joinUnits(formatUnit(ms / DAY_MS, 'day'), (ms % DAY_MS) / HOUR_MS, 'hour')
  if (ms >= HOUR_MS) return joinUnits(formatUnit(ms / HOUR_MS, 'hour'), (ms % HOUR_MS) / MINUTE_MS, 'minute')
  return ms >= MINUTE_MS ? formatUnit(ms / MINUTE_MS, 'minute') : m.remaining_under_minute()
}

type Unit = 'day' | 'hour' | 'minute'

function joinUnits(first: string, rest: number, unit: Unit): string {
  return rest >= 1 ? `${first} ${formatUnit(rest, unit)}` : first
}

function formatUnit(count: number, unit: Unit): string {
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(getLocale(), format).format(Math.floor(count))
}
