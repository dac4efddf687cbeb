import { m } from '../paraglide/messages.js'

const MINUTE_MS = 60_000
const MINUTES_PER_HOUR = 60
const HOURS_PER_DAY = 24

/** Minutes under 60 minutes, hours under 24 hours, else days (specification section 2). A future time counts as now. */
export function timeAgo(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / MINUTE_MS))
  if (minutes < MINUTES_PER_HOUR) return m.minutes_ago({ count: minutes })
  const hours = Math.floor(minutes / MINUTES_PER_HOUR)
  if (hours < HOURS_PER_DAY) return m.hours_ago({ count: hours })
  return m.days_ago({ count: Math.floor(hours / HOURS_PER_DAY) })
}
