import type { Viewer } from '@proofdesk/contract/permissions'
import type { ManagedUser, UserFlag } from '@proofdesk/contract/directory'
import { Check, Minus } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Switch } from '../../ui/switch.tsx'
import { showToast } from '../../ui/toast.ts'
import { useSetUserFlag } from './api.ts'
import { explainFlagProblem, type FlagProblem } from './explain-flag-problem.ts'
import { askTaking } from './ask-taking.ts'
import { sayTurned, wordOf } from './flag-words.ts'

export interface FlagCellProps {
  viewer: Viewer
  user: ManagedUser
  flag: UserFlag
  onProblem: (problem: FlagProblem | undefined) => void
}

/** One flag of an account: a toggle for those who may turn it, else its value. */
export function FlagCell(props: FlagCellProps) {
  const { viewer, user, flag } = props
  return hasToggle(viewer, user, flag) ? <FlagToggle {...props} /> : <FlagValue value={user[flag]} />
}

/**
 * Superusers have toggles, of which those for active, admin and staff show only for verified e-mails and the one for
 * two-factor is idle without one; admins have the one for staff (specification section 6). Without a toggle rights are
 * taken away by the row's menu.
 */
function hasToggle(viewer: Viewer, user: ManagedUser, flag: UserFlag): boolean {
  if (!viewer.is_superuser) return user.may[flag]
  const isOfEmail = flag === 'is_email_verified' || flag === 'gfa_is_enabled'
  return viewer.is_email_verified && (user.is_email_verified || isOfEmail)
}

/** Why one may not turn what is one’s own. */
const OWN_HINTS: Partial<Record<UserFlag, () => string>> = {
  is_active: m.own_account_active,
  is_email_verified: m.own_account_email,
  gfa_is_enabled: m.own_account_two_factor,
}

function FlagToggle({ viewer, user, flag, onProblem }: FlagCellProps) {
  const { mutate, isPending } = useSetUserFlag(user.id)
  const value = !user[flag]
  const mayTurn = user.may[flag]
  const ownHint = viewer.id === user.id ? OWN_HINTS[flag]?.() : undefined

  async function turn() {
    onProblem(undefined)
    if (flag === 'is_active' && !value && !(await askTaking(flag, user.username))) return
    mutate(
      { flag, value },
      {
        onSuccess: () => showToast(sayTurned(wordOf(flag), value, user.username)),
        onError: (error) => onProblem(explainFlagProblem(error, flag)),
      },
    )
  }

  return (
    <Switch
      label={m.users_flag_of({ flag: wordOf(flag), username: user.username })}
      checked={isPending ? value : user[flag]}
      busy={isPending}
      disabled={!mayTurn}
      hint={mayTurn ? undefined : ownHint}
      onToggle={() => void turn()}
    />
  )
}

function FlagValue({ value }: { value: boolean }) {
  const Icon = value ? Check : Minus
  return (
    <span className={`inline-flex items-center gap-1.5 align-middle text-sm ${value ? 'text-ink' : 'text-ink-2'}`}>
      <Icon aria-hidden size={15} className={value ? 'text-ok' : ''} />
      {value ? m.yes() : m.no()}
    </span>
  )
}
