// Loaded before a server by `--import`: writes how late its event loop was, as JSON, into the file that
// PROOFDESK_BENCH_EVENT_LOOP names, whenever it is sent SIGUSR2, and begins anew.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Nanoseconds in a millisecond. */
const NS = 1e6
/** Between two looks, ms; the delay is what a look is late by. */
const RESOLUTION = 1

const path = process.env['PROOFDESK_BENCH_EVENT_LOOP']
if (path !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
  delay.enable()
  process.on('SIGUSR2', () => {
    const late = (ns: number) => Math.max(0, ns / NS - RESOLUTION)
    const [p50, p99, p999] = [50, 99, 99.9].map((share) => late(delay.percentile(share)))
    writeFileSync(path, JSON.stringify({ p50, p99, p999, max: late(delay.max) }))
    delay.reset()
  })
}
