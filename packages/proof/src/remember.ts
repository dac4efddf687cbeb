/** Enough for the keys and certificates of an issuer, its log, and its witnesses. */
const MOST = 32

/**
 * Keeps what was worked out last, by all that it was worked out from: then working it out again would come to the same.
 * @returns what gives it, working it out where it is not kept. What failed is not kept.
 */
export function remember<T>(): (from: string, work: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, T>()
  return async (from, work) => {
    const known = kept.get(from)
    if (known !== undefined) return known
    const made = await work()
    // The first that was put in is the first to go.
    if (kept.size >= MOST) kept.delete(kept.keys().next().value ?? from)
    kept.set(from, made)
    return made
  }
}
