import type { AuditEntry } from '@proofdesk/contract/audit'
import { m } from '../../paraglide/messages.js'
import type { Column } from '../../ui/data-table.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { sayAction, sayObject } from './audit-words.ts'
import { sayFacts } from './fact-words.ts'

export const AUDIT_COLUMNS: Column<AuditEntry>[] = [
  {
    id: 'action',
    header: m.audit_action(),
    phone: 'title',
    cell: ({ action, details }) => (
      <>
        <span className="font-[560]">{sayAction(action)}</span>
        <Details details={details} />
      </>
    ),
  },
  {
    id: 'actor',
    header: m.audit_actor(),
    phone: 'labelled',
    // Wide enough for most names: beside a long title the table would break them after any letter.
    cell: ({ actor }) => (
      <span className="inline-block min-w-24">
        {actor ? <UserText>{actor.username}</UserText> : <span className="text-ink-2">{m.audit_nobody()}</span>}
      </span>
    ),
  },
  {
    id: 'object',
    header: m.audit_object(),
    phone: 'labelled',
    cell: ({ object: { kind, id, name } }) => (
      <span>
        {sayObject(kind)}
        {id !== null && <span className="text-ink-2"> {m.audit_number({ id })}</span>}
        {name !== null && (
          <span className="block text-sm">
            <UserText lines={2}>{name}</UserText>
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'at',
    header: m.audit_column_time(),
    phone: 'labelled',
    cell: ({ at }) => (
      <span className="whitespace-nowrap">
        <DateTime at={at} />
      </span>
    ),
  },
  {
    id: 'network',
    header: m.audit_column_network(),
    phone: 'labelled',
    cell: ({ network }) => network && <span className="font-mono text-sm whitespace-nowrap">{network}</span>,
  },
]

function Details({ details }: Pick<AuditEntry, 'details'>) {
  const facts = sayFacts(details)
  if (facts.length === 0) return null
  return <span className="block text-sm text-ink-2 wrap-anywhere">{facts.join(' · ')}</span>
}
