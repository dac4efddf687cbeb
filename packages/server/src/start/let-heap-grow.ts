import { setFlagsFromString } from 'node:v8'

/**
 * How much the heap may grow until it is searched for garbage as a whole, in hundredths of what was left after the last time.
 * V8's own choice for a heap as small as ours is about a tenth: what uploads bring in counts, so each three of 5 MB had it
 * searched through, which took half of the processor time of an upload. V8 reads this whenever it has searched.
 */
const HEAP_GROWING_PERCENT = 100

export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
}
