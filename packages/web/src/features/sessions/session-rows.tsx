import type { Session } from '@proofdesk/contract/sessions'
import { MonitorSmartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'

export interface SessionRowsProps {
  sessions: Session[]
  /** What stands at the end of a row. */
  renderEnd?: (session: Session) => ReactNode
}

/** Where somebody is signed in, the newest first. */
export function SessionRows({ sessions, renderEnd }: SessionRowsProps) {
  return (
    <ul aria-label={m.sessions_list()} className="divide-y divide-line">
      {sessions.map((session) => (
        <li
          key={session.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 sm:flex-nowrap first:pt-0 last:pb-0"
        >
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
              {describeSession(session)}
              {session.is_current && (
                <Badge tone="brand" icon={MonitorSmartphone}>
                  {m.sessions_this_one()}
                </Badge>
              )}
            </p>
            <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-ink-2">
              <Fact name={m.sessions_begun()}>
                <DateTime at={session.created_at} />
              </Fact>
              <Fact name={m.sessions_last_used()}>
                <TimeAgo at={session.last_used_at} />
              </Fact>
              {session.network !== null && (
                <Fact name={m.sessions_network()}>
                  <bdi className="font-mono text-[0.93em]">{session.network}</bdi>
                </Fact>
              )}
            </dl>
          </div>
          {renderEnd?.(session)}
        </li>
      ))}
    </ul>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-1.5">
      <dt>{name}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  )
}

/** Browser and system in one line, as far as they are known. */
export function describeSession({ browser, system }: Pick<Session, 'browser' | 'system'>): string {
  if (browser !== null && system !== null) return m.sessions_browser_on_system({ browser, system })
  return browser ?? system ?? m.sessions_unknown_device()
}
