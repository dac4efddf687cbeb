import { isReviewer } from '@proofdesk/contract/permissions'
import { wordsOf } from '../../lib/error-words.ts'
import { contentPath, PATHS } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { DateTime } from '../../ui/time.tsx'
import { TitledRow } from '../../ui/titled-row.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useCollections } from './api.ts'
import type { ListState } from './list-state.ts'
import { StatusBadge } from './status-badge.tsx'

const SHOWN = 5
/** As the list shows it when it is opened, so that both share one answer. */
const NEWEST: ListState = { status: undefined, search: '', page: 1, ordering: undefined }

/** The newest collections, for the dashboard: one's own, or everyone's for reviewers. */
export function RecentCollections() {
  const hasNames = isReviewer(useUser())
  const { data, error } = useCollections(NEWEST, true)
  return (
    <SectionSheet
      title={m.dashboard_recent()}
      mark={<TextLink to={PATHS.collection}>{m.dashboard_recent_all()}</TextLink>}
    >
      <div className="min-h-72">
        {error && !data && <ErrorBanner>{wordsOf(error, m.dashboard_recent_failed())}</ErrorBanner>}
        {!data && !error && <Skeleton className="w-3/4" />}
        {data?.results.length === 0 && <EmptyState title={m.dashboard_recent_empty()} />}
        {data && data.results.length > 0 && (
          <ul className="-my-2 divide-y divide-line">
            {data.results.slice(0, SHOWN).map((collection) => (
              <TitledRow
                key={collection.id}
                to={contentPath(collection.id)}
                title={collection.title}
                facts={
                  <>
                    {hasNames && (
                      <>
                        <UserText>{collection.username}</UserText> ·{' '}
                      </>
                    )}
                    <DateTime at={collection.created_at} />
                  </>
                }
                badge={<StatusBadge collection={collection} />}
              />
            ))}
          </ul>
        )}
      </div>
    </SectionSheet>
  )
}
