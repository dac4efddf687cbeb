import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import type { PoolLimits } from '../types.ts'

/** Limits of a pool for what is not about deadlines: it keeps to none, however busy the machine is. */
export const PATIENT = {
  inspectDeadlineMs: 120_000,
  inspectWaitMs: 120_000,
  buildWaitMs: 120_000,
  prepareProcessorMs: 120_000,
  buildDeadlineMs: 120_000,
  drawProcessorMs: 120_000,
} as const satisfies Partial<PoolLimits>

/** Node starting and ending on two quiet cores. */
const QUIET_START_MS = 50
const MEASURED_STARTS = 5

/**
 * Fails when something took longer than `quietMs`, the bound on a quiet machine. On a busy one the bound is as much longer as
 * a process takes to start there at that moment. It tells a hang from work, not fast from slow: `npm run bench` does that.
 */
export function expectWithin(elapsedMs: number, quietMs: number, what: string): void {
  if (elapsedMs < quietMs) return
  const pace = Math.max(1, measureStart() / QUIET_START_MS)
  const told = `${what} took ${elapsedMs.toFixed(0)} ms; ${quietMs} ms on a quiet machine, and this one is ${pace.toFixed(1)} times as slow`
  assert.ok(elapsedMs < quietMs * pace, told)
}

/** The longest of some, in milliseconds: what else runs here comes and goes, and came while the measured thing ran. */
function measureStart(): number {
  const starts = Array.from({ length: MEASURED_STARTS }, () => {
    const begin = performance.now()
    spawnSync(process.execPath, ['-e', ''])
    return performance.now() - begin
  })
  return Math.max(...starts)
}
