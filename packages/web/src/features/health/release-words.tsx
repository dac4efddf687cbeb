import type { HealthReport } from '@proofdesk/contract/health'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { TimeAgo } from '../../ui/time.tsx'
import { FactList } from './fact-list.tsx'

/** Which versions run, and what the changelog wants to be looked at since the last. */
export function sayRelease(part: HealthReport['release'], version: string): ReactNode {
  const { since, before, nodes, notes } = part
  const versions = nodes.map((node) => m.health_release_nodes(node)).join(', ')
  return (
    <>
      {nodes.length > 1 && `${m.health_release_mixed({ versions })} `}
      {since === null ? (
        m.health_release_first({ version })
      ) : (
        <>
          {m.health_release_runs({ version })} <TimeAgo at={since} />.
        </>
      )}
      {before !== null && ` ${m.health_release_before({ before })}`}
      {notes.map((release) => (
        <FactList
          key={release.version}
          title={m.health_release_notes({ version: release.version })}
          facts={release.items.map((item) => ({ key: item, words: item }))}
        />
      ))}
    </>
  )
}
