import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { spawnPinned } from './pinned.ts'

const RIVALS = join(import.meta.dirname, '../rivals')

const Told = z.object({ count: z.number(), seconds: z.number(), cpuSeconds: z.number().optional() })
export type Told = z.infer<typeof Told>

type BareProgram = 'bare-argon2' | 'one-fsync' | 'hash-and-keep' | 'decode-photograph' | 'build-and-seal'

/** Lets a program that does one thing only do it for so long, where the servers are. @throws with its own words */
export async function runBareProgram(name: BareProgram, lasts: number, ...args: string[]): Promise<Told> {
  const child = spawnPinned(name === 'build-and-seal' ? 'everywhere' : 'server', process.execPath, [
    join(RIVALS, `${name}.ts`),
    String(lasts),
    ...args,
  ])
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (out === '') throw new Error(`${name} failed: ${errors.trim()}`)
  return Told.parse(JSON.parse(out))
}
