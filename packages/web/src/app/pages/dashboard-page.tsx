import { isReviewer } from '@proofdesk/contract/permissions'
import { lazy, Suspense } from 'react'
import { Greeting } from '../../features/dashboard/greeting.tsx'
import { NotificationBar } from '../../features/dashboard/notification-bar.tsx'
import { UserGuide } from '../../features/dashboard/user-guide.tsx'
import { isAdminDesk } from '../../lib/roles.ts'
import { useUser } from '../../lib/session.ts'

// Only reviewers load what is for them.
const WaitingNotice = lazy(() => import('../../features/reviews/waiting-notice.tsx'))

export default function DashboardPage() {
  const user = useUser()
  return (
    <div className="grid gap-7">
      <Greeting user={user} />
      {isReviewer(user) && user.is_email_verified && (
        <Suspense fallback={<div className="sheet min-h-22" />}>
          <WaitingNotice />
        </Suspense>
      )}
      {!isAdminDesk(user) && <NotificationBar />}
      <UserGuide />
    </div>
  )
}
