import { canCreateCollection, isReviewer } from '@proofdesk/contract/permissions'
import { isAdminDesk } from '@proofdesk/contract/role-views'
import type { UserInfo } from '@proofdesk/contract/users'
import { Suspense } from 'react'
import { NextSteps } from '../../features/collections/next-steps.tsx'
import { RecentCollections } from '../../features/collections/recent-collections.tsx'
import { Greeting } from '../../features/dashboard/greeting.tsx'
import { NotificationBar } from '../../features/dashboard/notification-bar.tsx'
import { UserGuide } from '../../features/dashboard/user-guide.tsx'
import { RecentTickets } from '../../features/tickets/recent-tickets.tsx'
import { useUser } from '../../lib/session.ts'
import { loadLazily } from '../../ui/lazy-code.tsx'
import { Skeleton } from '../../ui/spinner.tsx'

// Only reviewers load what is for them.
const WaitingNotice = loadLazily(() => import('../../features/reviews/waiting-notice.tsx'))
const OwnDecisions = loadLazily(() => import('../../features/reviews/own-decisions.tsx'))

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
      <Overview user={user} />
      <div className="peer-has-[[data-coming]]:invisible">
        <UserGuide />
      </div>
    </div>
  )
}

/** What was there lately and what to do next, as far as the role has it; shown once nobody has to guess how high it is. */
function Overview({ user }: { user: UserInfo }) {
  const hasCollections = !isAdminDesk(user) && user.is_email_verified
  return (
    <div
      className={`peer grid grid-cols-[minmax(0,1fr)] items-start gap-5 has-[[data-coming]]:invisible ${hasCollections ? 'xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]' : ''}`}
    >
      {hasCollections && <RecentCollections />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 max-xl:order-first">
        {canCreateCollection(user) && <NextSteps />}
        <RecentTickets />
        {isReviewer(user) && user.is_email_verified && (
          <Suspense fallback={<Skeleton className="w-3/4" />}>
            <OwnDecisions />
          </Suspense>
        )}
      </div>
    </div>
  )
}
