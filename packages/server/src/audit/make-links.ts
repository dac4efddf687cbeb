import type { Deps } from '../deps.ts'
import { findLatest } from './check-chain.ts'
import { FIRST_HASH, hashEntry, hashLink } from './hash-entry.ts'
import { macLink } from './link-macs.ts'
import { chainEntries, findLastLink, insertLink, listWaiting } from './queries.ts'
import { inTransaction } from '../db/in-transaction.ts'

/** So many take a few milliseconds, in which nobody else writes an SQLite file. */
const MOST_ENTRIES = 100

/** How often waiting entries are looked for. */
const LOOK_EVERY_MS = 5000

type LinkDeps = Pick<Deps, 'db' | 'now' | 'secrets'>

/**
 * Puts all entries that wait into links of the chain. Several processes may do so at once: the database lets one link follow
 * each. Entries are chained in the order in which this finds them, since PostgreSQL commits out of the order of ids.
 */
export async function makeLinks(deps: LinkDeps): Promise<void> {
  while (await makeLink(deps));
}

/** @returns whether there may be more to do. */
async function makeLink({ db, now, secrets }: LinkDeps): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    // In this order: whoever lists what another process chains meanwhile knows its link no more than its entries.
    const previous_hash = (await findLastLink(transaction))?.hash ?? FIRST_HASH
    const entries = await listWaiting(transaction, MOST_ENTRIES)
    if (entries.length === 0) return false
    let last = previous_hash
    const hashes = entries.map((entry) => ({ id: entry.id, hash: (last = hashEntry(last, entry)) }))
    const made_at = now()
    const hash = hashLink(last, made_at)
    const linkId = await insertLink(transaction, {
      previous_hash,
      hash,
      entries: entries.length,
      last_at: findLatest(entries),
      made_at,
      mac: macLink(secrets, hash),
    })
    if (linkId === undefined) {
      // Another process is at it, or something follows the newest link that is not behind it.
      if ((await findLastLink(transaction))?.hash !== previous_hash) return false
      throw new Error('audit: nothing can follow the newest link; npm run admin -- check-audit says why')
    }
    if ((await chainEntries(transaction, linkId, hashes)) !== entries.length)
      throw new Error('audit: entries were chained by somebody else')
    return entries.length === MOST_ENTRIES
  })
}

/** Makes links for as long as the server runs; nobody waits for them. @returns what stops it, once the last is made */
export function startMakingLinks(deps: Pick<Deps, 'db' | 'reads' | 'now' | 'secrets' | 'logger'>): () => Promise<void> {
  let making = Promise.resolve()
  let isMaking = false
  const look = () => {
    if (isMaking) return
    isMaking = true
    making = lookForWork(deps)
      .catch((error: unknown) => deps.logger.fail('audit: making links failed', error))
      .finally(() => {
        isMaking = false
      })
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await making
  }
}

/** Where nothing waits, nobody's writing is held up. */
async function lookForWork(deps: Pick<Deps, 'db' | 'reads' | 'now' | 'secrets'>): Promise<void> {
  if ((await listWaiting(deps.reads, 1)).length > 0) await makeLinks(deps)
}
