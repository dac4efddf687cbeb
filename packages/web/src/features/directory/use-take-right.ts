import type { ManagedUser } from '@proofdesk/contract/directory'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { showToast } from '../../ui/toast.ts'
import { useSetUserFlag } from './api.ts'
import { askTaking } from './ask-taking.ts'
import { explainFlagProblem } from './explain-flag-problem.ts'
import { sayTurned } from './flag-words.ts'
import { nameRight, type Right } from './rights.ts'

/** Asks once more, then takes a right away. */
export function useTakeRight({ id, username }: Pick<ManagedUser, 'id' | 'username'>) {
  const { mutate, isPending } = useSetUserFlag(id)

  async function take(right: Right) {
    if (!(await askTaking(right, username))) return
    mutate(
      { flag: right, value: false },
      {
        onSuccess: () => showToast(sayTurned(nameRight(right), false, username)),
        onError: (error) => {
          const { title, reason } = explainFlagProblem(error, right)
          void showNotice({ title, text: reason ?? m.profile_try_again() })
        },
      },
    )
  }
  return { take, isPending }
}
