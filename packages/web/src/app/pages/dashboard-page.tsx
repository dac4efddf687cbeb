import { isReviewer } from '@proofdesk/contract/permissions'
import { Greeting } from '../../features/dashboard/greeting.tsx'
import { NotificationBar } from '../../features/dashboard/notification-bar.tsx'
import { UserGuide } from '../../features/dashboard/user-guide.tsx'
import { WaitingNotice } from '../../features/reviews/waiting-notice.tsx'
import { isAdminDesk } from '../../lib/roles.ts'
import { useUser } from '../../lib/session.ts'

export default function DashboardPage() {
  const user = useUser()
  return (
    <div className="grid gap-7">
      <Greeting user={user} />
      {isReviewer(user) && user.is_email_verified && <WaitingNotice />}
      {!isAdminDesk(user) && <NotificationBar />}
      <UserGuide />
    </div>
  )
}
