/**
 * Does at once what many ask for one by one, as for rows of one table: what comes while a run is under way shares the next, in
 * the order in which it came. One that fails fails for all that share it.
 * @param run For all of them.
 * @param waitForMore Before a run; what comes until then shares it.
 * @returns what asks for one.
 */
export function shareRuns<Item, Result>(
  run: (items: Item[]) => Promise<Result>,
  waitForMore: () => Promise<unknown> = () => Promise.resolve(),
): (item: Item) => Promise<Result> {
  let current: Promise<unknown> = Promise.resolve()
  let next: { items: Item[]; result: Promise<Result> } | undefined
  return (item) => {
    if (next) next.items.push(item)
    else {
      const items = [item]
      const result = current.then(waitForMore).then(() => {
        next = undefined
        const mine = run(items)
        current = mine.catch(() => undefined)
        return mine
      })
      next = { items, result }
    }
    return next.result
  }
}
