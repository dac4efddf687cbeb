import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Crowd, Where } from '../traffic/client.ts'
import { makeClient } from '../traffic/client.ts'
import type { Target } from '../traffic/targets.ts'

/** What was claimed when the troubles ended is sealed by then, or never. */
const SETTLE_PATIENCE_MS = 180_000
const AT_ONCE = 6

/**
 * Waits until the product has done all that it owes: documents are made, approvals published.
 * @returns what it still owes.
 */
export async function waitUntilSettled(crowd: Crowd): Promise<string[]> {
  const client = makeClient(crowd)
  let left = [...crowd.targets.all.values()]
  for (const end = performance.now() + SETTLE_PATIENCE_MS; ; await pause(500)) {
    // What waits for a decision tells by its digest that its document is made.
    for (const target of left) target.digest = undefined
    await each(left, (target) => client.see(target))
    left = left.filter(
      ({ phase, digest, fileCount }) =>
        phase === 'claimed' || (phase === 'sent' && digest === undefined && fileCount > 0),
    )
    if (left.length === 0) return []
    if (performance.now() > end)
      return left.map(({ id, phase }) => `collection ${id} is still ${phase === 'sent' ? 'prepared' : 'sealed'}`)
  }
}

/** Asks for all there is, at every node what may differ: the answers end the histories. */
export async function lookAtAll(crowd: Crowd): Promise<void> {
  const client = makeClient(crowd)
  await each([...crowd.targets.all.values()], async (target) => {
    for (const node of crowd.nodes) {
      await client.see(target, node)
      await client.verify(target, node)
    }
    await lookOnce(client, target, crowd.random.pick(crowd.nodes))
  })
}

async function lookOnce(client: Client, target: Target, node: Where): Promise<void> {
  await client['see files'](target, node)
  await client['see rounds'](target, node)
  await client['see changes'](target, node)
  await client['see comments'](target, node)
  await client.fetch(target, node)
  await client['fetch every file'](target, node)
}

async function each(targets: readonly Target[], look: (target: Target) => Promise<void>): Promise<void> {
  const waiting = [...targets]
  const work = async () => {
    for (let target = waiting.pop(); target; target = waiting.pop()) await look(target)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
