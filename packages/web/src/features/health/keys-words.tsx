import { CERTIFICATE_DAYS, type HealthReport, type KeyFile } from '@proofdesk/contract/health'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { FactList } from './fact-list.tsx'

const DAY_MS = 86_400_000

const NAMES: Record<KeyFile['what'], () => string> = {
  authority: m.health_key_authority,
  document_signing: m.health_key_document_signing,
  log: m.health_key_log,
  secrets: m.health_key_secrets,
  paper: m.health_key_paper,
  witness: m.health_key_witness,
}

/** What is wrong first, then each certificate with its time, and each key with its age. */
export function sayKeys(keys: HealthReport['keys'], now: string): ReactNode {
  const { certificates, files } = keys
  return (
    <>
      {sayWhole(keys, Date.parse(now))}
      {certificates.length > 0 && (
        <FactList
          title={m.health_certificates()}
          facts={certificates.map(({ what, subject, begins_at: from, ends_at: to }) => ({
            key: what,
            words: (
              <>
                {NAMES[what]()} (<UserText>{subject}</UserText>), {m.health_certificate_period()} <DateTime at={from} />{' '}
                {m.health_certificate_until()} <DateTime at={to} />
              </>
            ),
          }))}
        />
      )}
      <FactList
        title={m.health_key_files()}
        facts={files.map(({ what, written_at: at }) => ({
          key: what,
          words: (
            <>
              {NAMES[what]()}: {at === null ? m.health_key_gone() : <TimeAgo at={at} />}
            </>
          ),
        }))}
      />
    </>
  )
}

function sayWhole({ state, certificates, files }: HealthReport['keys'], now: number): string {
  if (certificates.length === 0) return m.health_keys_unread()
  if (files.some(({ written_at: at }) => at === null)) return m.health_keys_missing()
  if (state === 'broken') return m.health_keys_ended()
  const left = Math.min(...certificates.map(({ ends_at: at }) => Date.parse(at))) - now
  if (left <= CERTIFICATE_DAYS.urgent * DAY_MS) return m.health_keys_urgent({ days: CERTIFICATE_DAYS.urgent })
  return state === 'watch' ? m.health_keys_soon({ days: CERTIFICATE_DAYS.watch }) : m.health_keys_well()
}
