import type { ErasedAgain } from '../erasure/erase-again.ts'
import type { ErasedCounts } from '../erasure/erase-things.ts'
import type { Terminal } from './terminal.ts'

const count = (amount: number, what: string) => `${amount} ${what}${amount === 1 ? '' : 's'}`

/** In words for the operator. */
export function sayErased({ proofs, collections, files }: ErasedCounts): string {
  return `${count(proofs, 'proof')}, ${count(collections, 'collection')}, ${count(files, 'stored file')}`
}

/** Says what of a backup was erased again, if anything was. */
export function tellErasedAgain(terminal: Terminal, erased: ErasedAgain): void {
  if (erased.users + erased.proofs + erased.collections > 0)
    terminal.out(`Erased again, as it was since: ${count(erased.users, 'account')}, ${sayErased(erased)}.`)
  if (erased.left > 0)
    terminal.err(
      `${erased.left} of what is to be erased again is left: the server does it when it starts with the keys.`,
    )
}
