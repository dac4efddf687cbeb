import { useEffect, useState } from 'react'
import { getLocale } from '../paraglide/runtime.js'
import { timeAgo } from './time-ago.ts'

/** @param at ISO 8601 */
export function formatTime(at: string): string {
  return new Intl.DateTimeFormat(getLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

/** Day and time in the reader's own zone. */
export function DateTime({ at }: { at: string }) {
  return <time dateTime={at}>{formatTime(at)}</time>
}

/** How long ago; the exact time shows when pointed at. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow(30_000)
  return (
    <time dateTime={at} title={formatTime(at)}>
      {timeAgo(new Date(at), now)}
    </time>
  )
}

/** The present time, anew every `everyMs` milliseconds. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
