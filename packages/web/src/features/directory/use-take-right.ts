import type { ManagedUser } from '@proofdesk/contract/directory'
import { m } from '../../paraglide/messages.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { useSetUserFlag } from './api.ts'
import { explainFlagProblem } from './explain-flag-problem.ts'
import { nameTaking, type Right } from './rights.ts'

/** Asks once more, then takes a right away. */
export function useTakeRight({ id, username }: Pick<ManagedUser, 'id' | 'username'>) {
  const { mutate, isPending } = useSetUserFlag(id)

  async function take(right: Right) {
    const text = right === 'is_active' ? m.person_deactivate_text({ username }) : m.person_take_text({ username })
    if (!(await askConfirm({ title: m.are_you_sure(), text, action: nameTaking(right), danger: true }))) return
    mutate(
      { flag: right, value: false },
      {
        onError: (error) => {
          const { title, reason } = explainFlagProblem(error, right)
          void showNotice({ title, text: reason ?? m.profile_try_again() })
        },
      },
    )
  }
  return { take, isPending }
}
