import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { DEMO_PASSWORD } from '@proofdesk/server/demonstration'
import { z } from 'zod'

/** An instance with it is served on this machine alone. */
export const PASSWORD = DEMO_PASSWORD

export const STAFF = 'bench.staff'

/** What the product is asked to make of each kind, for the filling to multiply. */
export const COLLECTION_KINDS = ['opened', 'in_progress', 'answered', 'approved', 'approved_until'] as const
export type CollectionKind = (typeof COLLECTION_KINDS)[number]
export const TICKET_KINDS = ['waiting', 'answered'] as const
export type TicketKind = (typeof TICKET_KINDS)[number]

/** Ids of what the product itself wrote. */
const RealOnes = z.object({
  person: z.number(),
  staff: z.number(),
  superuser: z.number(),
  collections: z.record(z.enum(COLLECTION_KINDS), z.number()),
  tickets: z.record(z.enum(TICKET_KINDS), z.number()),
  /** With certified files to verify. */
  certified: z.array(z.object({ proofid: z.string(), username: z.string() })),
})
export type RealOnes = z.infer<typeof RealOnes>

const FILE = 'real-ones.json'

export interface RealOptions {
  /** Becomes a DATA_DIR; must be empty. */
  folder: string
  postgresUrl?: string | undefined
  /** How many proofs to make beside, and about how large the scan in each is, bytes. */
  certified: { count: number; bytes: number }
}

/**
 * Has the product make one of everything in an empty instance. In a process of its own: one that has served a folder holds
 * on to it until it ends.
 * @throws Error with the product's own words
 */
export async function makeRealOnes(options: RealOptions): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'make-real-ones.ts'), JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (exitCode !== 0) throw new Error(errors.trim())
}

export function writeRealOnes(folder: string, real: RealOnes): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(real, null, 2)}\n`)
}

export function readRealOnes(folder: string): RealOnes {
  return RealOnes.parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')))
}
