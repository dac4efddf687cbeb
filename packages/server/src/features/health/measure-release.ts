import type { HealthReport } from '@proofdesk/contract/health'
import { VERSION } from '../../config/version.ts'
import type { Deps } from '../../deps.ts'
import { SILENT_AFTER_MS } from '../../nodes/presence.ts'
import { countVersions } from '../../nodes/queries.ts'
import { findRelease } from '../../nodes/record-release.ts'
import { judgeRelease } from './judge-parts.ts'
import { readReleaseNotes } from './release-notes.ts'

/** Which version runs here and elsewhere, and what its changelog wants to be looked at. */
export async function measureRelease({ reads, now }: Deps): Promise<HealthReport['release']> {
  const [release, seen] = await Promise.all([findRelease(reads), countVersions(reads, now() - SILENT_AFTER_MS)])
  // Another version may have been started since.
  const { since, before } = release?.version === VERSION ? release : { since: null, before: null }
  const measured = {
    since: since === null ? null : new Date(since).toISOString(),
    before,
    // This one answers, whatever its last word was.
    nodes: seen.some(({ version }) => version === VERSION) ? seen : [...seen, { version: VERSION, count: 1 }],
    notes: await readReleaseNotes(VERSION, before),
  }
  return { state: judgeRelease(measured), ...measured }
}
