import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Beside the data: what a suite needs to know of an instance that was filled. */
const FILE = 'bench.json'

const Facts = z.object({
  collections: z.number(),
  /** What it was made by: migrations and this folder. */
  made: z.string(),
  /** Owns exactly twenty collections. */
  owner: z.object({ id: z.number(), username: z.string() }),
  staff: z.string(),
  /** Usernames, all with the password of `real-ones.ts`; none is staff. */
  people: z.array(z.string()),
  certified: z.array(z.object({ proofid: z.string(), username: z.string() })),
})
export type FilledFacts = z.infer<typeof Facts>

export function writeFacts(folder: string, facts: FilledFacts): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(facts, null, 2)}\n`)
}

/** @throws where nothing was filled, or not to its end. */
export function readFacts(folder: string): FilledFacts {
  return Facts.parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')))
}
