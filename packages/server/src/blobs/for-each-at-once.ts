/**
 * Does something with each of many, several at a time. When one fails no other is begun, and those that were are waited for.
 * @throws what the first that failed did.
 */
export async function forEachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  let isStopped = false
  const workInTurn = async () => {
    for (const item of waiting) {
      if (isStopped) return
      await work(item).catch((error: unknown) => {
        isStopped = true
        throw error
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, workInTurn))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
