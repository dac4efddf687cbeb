import type { useSingleMutation } from './use-single-mutation.ts'

type Sent = Pick<ReturnType<typeof useSingleMutation>, 'isPending' | 'reset'>

/** Leaves a dialog once what it sent is answered: a refusal could be read nowhere else. */
export function leaveWhenAnswered({ isPending, reset }: Sent, onClose: () => void): void {
  if (isPending) return
  reset()
  onClose()
}
