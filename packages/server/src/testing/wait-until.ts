import { setTimeout as pause } from 'node:timers/promises'

/** Far longer than anything takes on a slow machine: it only ends what waits in vain. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 10

/** Looks again and again until there is something to find. @returns what was found */
export async function waitUntil<T>(find: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  for (const end = Date.now() + PATIENCE_MS; ;) {
    const found = await find()
    if (found !== undefined && found !== false) return found as Exclude<T, false | undefined>
    if (Date.now() > end) throw new Error(`waited in vain for ${String(find)}`)
    await pause(LOOK_EVERY_MS)
  }
}
