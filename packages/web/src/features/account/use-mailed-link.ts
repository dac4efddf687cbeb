import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { useBusy } from '../../lib/use-busy.ts'

/** `refused`: the link is used up or too old. `failed`: nothing was decided, so it may be tried again. */
export type LinkState =
  | { step: 'waiting' }
  | { step: 'done'; username: string }
  | { step: 'refused'; reason: string }
  | { step: 'failed'; reason: string }

/**
 * Uses a mailed link up when the person asks for it, never by itself: programs that scan mails open links too.
 * @param done For whom it was used already, before the screen was made anew.
 * @param fallback What is said of a failure that says nothing.
 */
export function useMailedLink(send: () => Promise<{ username: string }>, fallback: string, done?: string) {
  const [state, setState] = useState<LinkState>(
    done === undefined ? { step: 'waiting' } : { step: 'done', username: done },
  )
  const [busy, run] = useBusy()

  async function take() {
    try {
      const { username } = await send()
      setState({ step: 'done', username })
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
      setState({ step: isRefused ? 'refused' : 'failed', reason: wordsOf(error, fallback) })
    }
  }

  return { state, busy, take: () => run(take) }
}
