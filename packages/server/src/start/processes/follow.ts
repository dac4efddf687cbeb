import { randomUUID } from 'node:crypto'
import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { AppError } from '../../errors.ts'
import type { SharedMetrics } from '../../http/shared-metrics.ts'
import { readSaid, type Said } from './said.ts'

/** The process that leads this one, where several serve one machine. */
export interface Lead {
  /** Of the first start: what is told once is told by it. */
  isFirst: boolean
  tellReady(): void
  onGone(end: () => void): void
  metrics: SharedMetrics
}

/** The lead gives up on a process that does not tell what it measured within five seconds. */
const GATHER_WITHIN_MS = 8000

/** @returns undefined where this process serves alone. */
export function followLead(): Lead | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  // Making one is what answers the lead's questions from here on.
  new AggregatorRegistry().clear()
  const tell = (said: Said) => void process.send?.(said)
  return {
    isFirst: worker.id === 1,
    tellReady: () => tell({ say: 'ready' }),
    onGone: (end) => void process.on('disconnect', end),
    metrics: {
      share: (own) => AggregatorRegistry.setRegistries(own),
      gather: async () => {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        const id = randomUUID()
        const listen = (message: unknown) => {
          const said = readSaid(message)
          if (said?.say !== 'gathered' || said.id !== id) return
          if (said.text === undefined) reject(new AppError('busy'))
          else resolve(said.text)
        }
        const late = setTimeout(() => reject(new AppError('busy')), GATHER_WITHIN_MS)
        process.on('message', listen)
        tell({ say: 'gather', id })
        try {
          return await promise
        } finally {
          clearTimeout(late)
          process.off('message', listen)
        }
      },
    },
  }
}
