const waiting: (() => void)[] = []

/**
 * Lets one after the other of those that wait begin, each in a turn of the event loop of its own. What asks for a long list,
 * of everybody's or of long texts, goes through here: many that come at once would otherwise be worked on in one turn, and all else would wait
 * until the last of them is done.
 */
export function awaitTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(beginNext)
  })
}

function beginNext(): void {
  const begin = waiting.shift()
  if (waiting.length > 0) setImmediate(beginNext)
  begin?.()
}
