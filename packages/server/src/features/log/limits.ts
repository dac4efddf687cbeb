import { MINUTES, type Limit } from '../../http/limit.ts'

/** Key: client. A log asks once for each head, and once more where sizes differ. */
export const WITNESS_CLIENT: Limit = { points: 600, duration: 5 * MINUTES }
