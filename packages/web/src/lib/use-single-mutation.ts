import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/** Told while the screen that started it still stands. */
interface Told<Answer> {
  onSuccess?: (answer: Answer) => void
  onError?: (error: Error) => void
}

type Start<Answer, Given> = (given: Given, told: Told<Answer> & { onSettled: () => void }) => void

/**
 * A mutation of which one runs at a time: further starts are ignored, even two in one tick, before the button had a
 * chance to be disabled.
 */
export function useSingleMutation<Answer, Given>(options: UseMutationOptions<Answer, Error, Given>) {
  const { mutate, isPending, error } = useMutation(options)
  const isRunning = useRef(false)
  const mutateOnce = useCallback(
    (given: Given, told: Told<Answer> = {}) => {
      if (isRunning.current) return
      isRunning.current = true
      const start = mutate as Start<Answer, Given>
      start(given, { ...told, onSettled: () => void (isRunning.current = false) })
    },
    [mutate],
  )
  return { mutate: mutateOnce, isPending, error }
}
