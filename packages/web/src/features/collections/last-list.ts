import { PATHS } from '../../lib/paths.ts'
import { watchPerson } from '../../lib/session.ts'

/** Where the list stood when it was last seen, so that the way back leads to the same rows. */
let address: string = PATHS.collection

export function readLastList(): string {
  return address
}

/** @param search Query of the list's address, with its question mark; empty without one. */
export function rememberList(search: string): void {
  address = PATHS.collection + search
}

// What one person searched for is not shown to the next one in the same tab.
watchPerson(() => {
  address = PATHS.collection
})
