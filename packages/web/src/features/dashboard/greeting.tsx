import { highestRole, type UserInfo } from '@proofdesk/contract/users'
import { m } from '../../paraglide/messages.js'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** The highest role goes before the name; an ordinary user has just the name. */
export function Greeting({ user }: { user: UserInfo }) {
  const prefix = rolePrefix(user)
  return (
    <PageHeading title={m.nav_dashboard()}>
      <Sentence
        say={(place) => m.dashboard_greeting({ name: prefix ? `${prefix} ${place}` : place })}
        text={user.username}
      />
    </PageHeading>
  )
}

function rolePrefix(user: UserInfo): string | undefined {
  switch (highestRole(user)) {
    case 'superuser':
      return m.dashboard_role_superuser()
    case 'admin':
      return m.dashboard_role_admin()
    case 'staff':
      return m.dashboard_role_staff()
    case 'user':
      return undefined
  }
}
