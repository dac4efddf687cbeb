const LEASE_MS = 20_000
/** Longer than any browser takes to show one tab's write to another. */
const SETTLE_MS = 60
const RETRY_MS = 120

/**
 * Runs `work` in one tab of this origin at a time. Web Locks where the page has a secure context; elsewhere (plain http
 * on a network address) a lease in local storage, which a closed tab gives up after 20 seconds.
 */
export async function withTabLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks
  if (locks) return locks.request(name, work)
  const key = `lease:${name}`
  const owner = crypto.getRandomValues(new Uint32Array(2)).join('-')
  await takeLease(key, owner)
  try {
    return await work()
  } finally {
    if (readLease(key)?.owner === owner) localStorage.removeItem(key)
  }
}

async function takeLease(key: string, owner: string): Promise<void> {
  for (;;) {
    const held = readLease(key)
    if (!held || held.until < Date.now()) {
      localStorage.setItem(key, JSON.stringify({ owner, until: Date.now() + LEASE_MS }))
      // Local storage has no compare-and-set: two tabs may both have written, and the last one wins.
      await pause(SETTLE_MS)
      if (readLease(key)?.owner === owner) return
    }
    await pause(RETRY_MS * (0.5 + Math.random()))
  }
}

function readLease(key: string): { owner: string; until: number } | undefined {
  try {
    const lease: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof lease !== 'object' || lease === null || !('owner' in lease) || !('until' in lease)) return undefined
    return { owner: String(lease.owner), until: Number(lease.until) }
  } catch {
    return undefined
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
