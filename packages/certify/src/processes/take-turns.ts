/** Remembers who was served when, as long as somebody is. */
export interface Turns {
  /** For each asker the turn in which a task of theirs was last begun. */
  servedAt: Map<number, number>
  turn: number
}

export const createTurns = (): Turns => ({ servedAt: new Map(), turn: 0 })

interface Waiting {
  limits: { askedBy?: number | undefined }
}

/**
 * Takes the next task out of the queue. Askers take turns: next is whoever holds the fewest processes, and among those whoever
 * was served longest ago. One process is kept from each asker for all the others, so that nobody's files, however long they
 * take, make everybody wait. What nobody in particular asked for goes first.
 * @param running The askers of the tasks under way.
 * @param processes How many tasks may be under way at once.
 */
export function takeNextTask<Task extends Waiting>(
  queue: Task[],
  turns: Turns,
  running: readonly (number | undefined)[],
  processes: number,
): Task | undefined {
  if (queue.length === 0 && running.length === 0) turns.servedAt.clear()
  const most = Math.max(1, processes - 1)
  let next: { task: Task; held: number; servedAt: number } | undefined
  for (const task of queue) {
    const { askedBy } = task.limits
    const held = askedBy === undefined ? 0 : running.filter((other) => other === askedBy).length
    const servedAt = askedBy === undefined ? 0 : (turns.servedAt.get(askedBy) ?? 0)
    if (held >= most) continue
    const isBefore = next === undefined || held < next.held || (held === next.held && servedAt < next.servedAt)
    if (isBefore) next = { task, held, servedAt }
  }
  if (next === undefined) return undefined
  queue.splice(queue.indexOf(next.task), 1)
  turns.turn += 1
  const { askedBy } = next.task.limits
  if (askedBy !== undefined) turns.servedAt.set(askedBy, turns.turn)
  return next.task
}
