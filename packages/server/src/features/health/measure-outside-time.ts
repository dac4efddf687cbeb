import type { HealthReport } from '@proofdesk/contract/health'
import { parseStatement } from '@proofdesk/proof/log/statements'
import type { Deps } from '../../deps.ts'
import { findHead, listEntries } from '../../log/queries.ts'
import { findNewestWitnessed } from '../../log/witnesses/find-witnessed.ts'
import { findNewestCosigning } from '../../log/witnesses/queries.ts'
import { judgeOutsideTime } from './judge-parts.ts'

/** Whether witnesses sign, which is all that vouches for times from outside. */
export async function measureOutsideTime({ reads, log, now }: Deps): Promise<HealthReport['outside_time']> {
  const { all, policy } = log.witnesses
  const [head, witnessed, witnesses] = await Promise.all([
    findHead(reads),
    all.length > 0 ? findNewestWitnessed(reads, policy) : undefined,
    Promise.all(
      all.map(async ({ id, name }) => {
        const at = await findNewestCosigning(reads, id)
        return { name, signed_at: at === undefined ? null : writeTime(at), refusal: log.findRefusal(id) ?? null }
      }),
    ),
  ])
  const witnessed_size = witnessed?.size ?? 0
  const [first] = all.length > 0 ? await listEntries(reads, witnessed_size, 1) : []
  const measured = {
    is_set: all.length > 0,
    witnesses,
    witnessed_size,
    witnessed_at: witnessed ? writeTime(witnessed.signed_at) : null,
    waiting: all.length > 0 ? Math.max(0, head.size - witnessed_size) : 0,
    waiting_since: first ? writeTime(parseStatement(Buffer.from(first.entry)).time * 1000) : null,
  }
  return { state: judgeOutsideTime(measured, now()), ...measured }
}

function writeTime(at: number): string {
  return new Date(at).toISOString()
}
