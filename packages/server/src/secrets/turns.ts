import { AppError } from '../errors.ts'

interface Waiting {
  go: () => void
  giveUp: (reason: AppError) => void
}

/** A queue in which askers take turns, however many each of them has waiting. */
export interface Turns {
  /** @throws AppError `busy`, also later, when the queue is full and no other asker has more waiting. */
  wait(askedBy: string): Promise<void>
  /** Lets the next one go. @returns false when nobody waits. */
  next(): boolean
}

export function openTurns(most: number): Turns {
  /** In the order of their turns; whoever was served goes to the end. */
  const queues = new Map<string, Waiting[]>()
  let count = 0

  /** Sends the last of the asker with the most away, unless that would be the newcomer's own. @returns whether it did. */
  function makeRoom(askedBy: string): boolean {
    const [longest, queue] = [...queues].reduce((a, b) => (b[1].length > a[1].length ? b : a))
    if (longest === askedBy || !queue || queue.length <= (queues.get(askedBy)?.length ?? 0) + 1) return false
    queue.pop()?.giveUp(refuse())
    count -= 1
    return true
  }

  return {
    wait(askedBy) {
      if (count >= most && !makeRoom(askedBy)) return Promise.reject(refuse())
      count += 1
      return new Promise<void>((go, giveUp) => {
        const queue = queues.get(askedBy)
        if (queue) queue.push({ go, giveUp })
        else queues.set(askedBy, [{ go, giveUp }])
      })
    },
    next() {
      const [first] = queues
      if (!first) return false
      const [askedBy, queue] = first
      const chosen = queue.shift()
      queues.delete(askedBy)
      if (queue.length > 0) queues.set(askedBy, queue)
      count -= 1
      chosen?.go()
      return true
    },
  }
}

function refuse(): AppError {
  return new AppError('busy', { retryAfterSeconds: 2 })
}
