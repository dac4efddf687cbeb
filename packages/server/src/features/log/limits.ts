import { MINUTES, type Limit } from '../../http/limit.ts'

/** Key: client. A busy log asks several times a second, once for each head. */
export const WITNESS_CLIENT: Limit = { name: 'witness_client', points: 3000, duration: 5 * MINUTES }
