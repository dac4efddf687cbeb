import { m } from '../../paraglide/messages.js'
import { wordOf } from './flag-words.ts'
import type { UserListState } from './list-state.ts'

type Ordering = NonNullable<UserListState['ordering']>

export function listOrderings(): [Ordering, string][] {
  const flags = ['is_active', 'is_email_verified', 'is_admin', 'is_staff'] as const
  return [
    ['-date_joined', m.order_newest()],
    ['date_joined', m.order_oldest()],
    ...flags.flatMap((flag): [Ordering, string][] => [
      [`-${flag}`, m.users_order_yes_first({ column: wordOf(flag) })],
      [flag, m.users_order_no_first({ column: wordOf(flag) })],
    ]),
  ]
}
