import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useCallback } from 'react'
import { readPersonId } from './session.ts'
import { useBusy } from './use-busy.ts'

/** Told while the screen that started it still stands. */
interface Told<Answer> {
  onSuccess?: (answer: Answer) => void
  onError?: (error: Error) => void
}

/** A mutation of which one runs at a time. What goes wrong is told, and stands in `error` until `reset`. */
export function useSingleMutation<Answer, Given, Kept = unknown>(
  options: UseMutationOptions<Answer, Error, Given, Kept>,
) {
  const { mutateAsync, error, reset } = useMutation(options)
  const [isPending, run] = useBusy()
  const mutate = useCallback(
    (given: Given, told: Told<Answer> = {}) => {
      run(() => mutateAsync(given, told)).catch(() => {})
    },
    [mutateAsync, run],
  )
  /**
   * As `mutate`, but tells whatever becomes of the screen: undefined where one runs already, and instead of a failure once
   * nobody, or somebody else, is signed in.
   */
  const send = useCallback(
    async (given: Given) => {
      const begunBy = readPersonId()
      try {
        return await run(() => mutateAsync(given))
      } catch (failure) {
        if (readPersonId() !== begunBy) return undefined
        throw failure
      }
    },
    [mutateAsync, run],
  )
  return { mutate, send, isPending, error, reset }
}
