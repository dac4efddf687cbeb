import { canManageUsers } from '@proofdesk/contract/permissions'
import { USER_LIST_ADDRESS } from '../../features/directory/list-state.ts'
import { UserList } from '../../features/directory/user-list.tsx'
import { UserTiles } from '../../features/directory/user-tiles.tsx'
import { useUser } from '../../lib/session.ts'
import { useListAddress } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { PageHeading } from '../../ui/page-heading.tsx'
import { NotAllowed } from '../not-allowed.tsx'

export default function UsersPage() {
  return canManageUsers(useUser()) ? <Users /> : <NotAllowed />
}

function Users() {
  const viewer = useUser()
  const { state, change } = useListAddress(USER_LIST_ADDRESS)
  return (
    <>
      <PageHeading
        title={m.users_title()}
        lead={viewer.is_superuser ? m.users_lead_superuser() : m.users_lead_admin()}
      />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-5">
        <UserTiles chosen={state.group} onChoose={(group) => change({ group })} />
        <UserList state={state} onChange={change} />
      </div>
    </>
  )
}
