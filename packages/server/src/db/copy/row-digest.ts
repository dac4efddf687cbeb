import { hash } from 'node:crypto'

export type Value = number | string | Uint8Array | null
/** In the order of the columns of its table. */
export type Row = Value[]

const BITS = 256

/** How many rows there are, and a sum over their hashes that says whether two tables hold the same, in whatever order. */
export interface RowDigest {
  add(row: Row): void
  rows(): number
  /** Hex. */
  sum(): string
}

export function openRowDigest(): RowDigest {
  let [rows, sum] = [0, 0n]
  return {
    add: (row) => {
      rows += 1
      const written = JSON.stringify(
        row.map((value) => (value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value)),
      )
      sum = BigInt.asUintN(BITS, sum + BigInt(`0x${hash('sha256', written, 'hex')}`))
    },
    rows: () => rows,
    sum: () => sum.toString(16).padStart(BITS / 4, '0'),
  }
}
