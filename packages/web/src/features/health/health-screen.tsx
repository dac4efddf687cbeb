import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { useHealth } from './api.ts'
import { FileProblems } from './file-problems.tsx'
import { PartList } from './part-list.tsx'

/** How every part is. Looks again by itself while it is open. */
export function HealthScreen() {
  const { data: report, error } = useHealth()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {error && <ErrorBanner>{m.health_failed()}</ErrorBanner>}
      {(report || !error) && <PartList report={report} />}
      {report && report.files.problems.length > 0 && <FileProblems problems={report.files.problems} />}
      {report && (
        <p className="text-sm text-ink-2">
          {m.health_version({ version: report.version })} <TimeAgo at={report.started_at} />
        </p>
      )}
    </div>
  )
}
