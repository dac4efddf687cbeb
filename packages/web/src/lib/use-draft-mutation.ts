import { forgetDraft, nameDraft, nameSending, readDraft } from './drafts.ts'
import { useSession } from './session.ts'
import { createStore, useStore } from './store.ts'
import { useSingleMutation } from './use-single-mutation.ts'

interface DraftSending<Answer> {
  /** Name of the draft, as `useDraft` takes it. */
  draft: string
  /** @param key The same for what is sent again, as `call` takes it. */
  mutationFn: (text: string, key: string) => Promise<Answer>
  /** After a refusal with nothing. */
  onSettled?: (answer: Answer | undefined) => Promise<void>
}

/** Drafts on their way, by their keys. */
const leaving = createStore<readonly string[]>([])

/**
 * Sends what was typed. One at a time for each draft, whatever screen has begun it: whoever leaves and comes back before the
 * answer finds it on its way. Once it is sent the draft is forgotten, but for what was typed since.
 */
export function useDraftMutation<Answer>({ draft, mutationFn, onSettled }: DraftSending<Answer>) {
  const key = nameDraft(useSession(), draft)
  const isLeaving = useStore(leaving).includes(key)
  const sending = useSingleMutation({
    mutationFn: (text: string) => mutationFn(text, nameSending(key)),
    onMutate: () => {
      leaving.write([...leaving.read(), key])
      return readDraft(key)
    },
    onSuccess: (_answer, _text, sent) => forgetDraft(draft, sent),
    onSettled: async (answer) => {
      await onSettled?.(answer)
      leaving.write(leaving.read().filter((other) => other !== key))
    },
  })
  return { ...sending, isPending: sending.isPending || isLeaving }
}
