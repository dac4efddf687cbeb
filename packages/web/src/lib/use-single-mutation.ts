import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useBusy } from './use-busy.ts'

/** Told while the screen that started it still stands. */
interface Told<Answer> {
  onSuccess?: (answer: Answer) => void
  onError?: (error: Error) => void
}

/** A mutation of which one runs at a time. What goes wrong is told, and stands in `error` until `reset`. */
export function useSingleMutation<Answer, Given>(options: UseMutationOptions<Answer, Error, Given>) {
  const { mutateAsync, error, reset } = useMutation(options)
  const [isPending, run] = useBusy()
  const mutate = useCallback(
    (given: Given, told: Told<Answer> = {}) => {
      run(() => mutateAsync(given, told)).catch(() => {})
    },
    [mutateAsync, run],
  )
  return { mutate, isPending, error, reset }
}
