import { verifyConsistency } from '@proofdesk/proof/log/tree'
import { openCheckpoint, type OpenedCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { parsePolicy } from '@proofdesk/proof/log/policy'
import { setTimeout as pause } from 'node:timers/promises'
import type { HammerNode } from '../instance/node.ts'
import type { Random } from '../seeded-random.ts'

/** Signed heads as the nodes showed them over time; each once. */
export interface LogWatch {
  notes: Set<string>
  /** Heads that were smaller than one that had been shown before. */
  smaller: string[]
  run(isOver: () => boolean): Promise<void>
}

const LOOK_EVERY_MS = 250

export function watchLog(nodes: readonly HammerNode[], random: Random): LogWatch {
  const notes = new Set<string>()
  const smaller: string[] = []
  let largest = 0
  return {
    notes,
    smaller,
    run: async (isOver) => {
      for (; !isOver(); await pause(LOOK_EVERY_MS)) {
        const node = random.pick(nodes)
        const note = await fetchText(`${node.url}/log/checkpoint`).catch(() => undefined)
        if (note === undefined) continue
        notes.add(note)
        const size = Number(note.split('\n')[1])
        if (size < largest) smaller.push(`node ${node.name} showed a head of size ${size} after one of ${largest}`)
        largest = Math.max(largest, size)
      }
    },
  }
}

/**
 * Whether all heads that were ever shown are of one log that only grew.
 * @returns how many there were, and what is wrong.
 */
export async function judgeHeads(url: string, notes: Iterable<string>): Promise<{ heads: number; wrong: string[] }> {
  const policy = parsePolicy(await fetchText(`${url}/log/policy`))
  const wrong: string[] = []
  const heads: OpenedCheckpoint['checkpoint'][] = []
  for (const note of notes)
    try {
      heads.push((await openCheckpoint(note, policy)).checkpoint)
    } catch (error) {
      wrong.push(`a head that is not signed by the log: ${String(error)}`)
    }
  heads.sort((a, b) => a.size - b.size)
  for (const [index, next] of heads.entries()) {
    const before = heads[index - 1]
    if (!before) continue
    const told = await compareHeads(url, before, next)
    if (told !== undefined) wrong.push(`from size ${before.size} to ${next.size}: ${told}`)
  }
  return { heads: heads.length, wrong }
}

async function compareHeads(
  url: string,
  before: OpenedCheckpoint['checkpoint'],
  next: OpenedCheckpoint['checkpoint'],
): Promise<string | undefined> {
  const roots = { oldSize: before.size, oldRoot: before.root, newSize: next.size, newRoot: next.root }
  try {
    const { path } =
      before.size === next.size
        ? { path: [] as string[] }
        : (JSON.parse(await fetchText(`${url}/log/consistency?old=${before.size}&new=${next.size}`)) as {
            path: string[]
          })
    verifyConsistency({ ...roots, path: path.map((hash) => Uint8Array.from(Buffer.from(hash, 'base64'))) })
    return undefined
  } catch (error) {
    return String(error)
  }
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5000) })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  return answer.text()
}
