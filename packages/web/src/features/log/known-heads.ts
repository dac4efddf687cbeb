import { openKeptValues } from '../../lib/kept-values.ts'

/** The newest head of a log that this browser has checked, as it was signed. */
export interface KnownHead {
  origin: string
  note: string
  /** By this device's clock, ISO 8601. */
  seenAt: string
}

const heads = openKeptValues<KnownHead>('proofdesk-log', 'heads', 'origin')

/** Undefined for a log that is met for the first time, or where the browser keeps nothing. */
export const findKnownHead = (origin: string): Promise<KnownHead | undefined> => heads.find(origin)

/** A larger head stays that another tab has kept meanwhile. Where the browser keeps nothing, nothing is kept. */
export const keepKnownHead = (head: KnownHead): Promise<void> =>
  heads.keep(head, (kept) => readSize(kept.note) > readSize(head.note))

/** Of a head that was checked before it was kept: its second line. Not a number where that is spoiled, which outdoes nothing. */
function readSize(note: string): number {
  return Number(note.split('\n')[1])
}
