import { useCallback } from 'react'
import { wordsOnTheirOwn } from '../lib/error-words.ts'
import { useToastOnceLeft } from './use-toast-once-left.ts'

/** What became of a change, with the name of what it is about. */
export interface OutcomeWords {
  done: string
  failed: string
}

/**
 * For a change whose screen says by itself, without a name, what became of it: tells whoever has left it. To be called once
 * all that follows from the answer is done, just before the screen is told: until then it may still be left.
 */
export function useOutcomeOnceLeft(): (error: unknown, words: OutcomeWords) => void {
  const tellOnceLeft = useToastOnceLeft()
  return useCallback(
    (error, { done, failed }) => (error ? tellOnceLeft(wordsOnTheirOwn(error, failed), 'error') : tellOnceLeft(done)),
    [tellOnceLeft],
  )
}
