import { HOUR, type Limit } from '../../http/limit.ts'

/** Key: client. */
export const PROOF_MISS_ADDRESS: Limit = { points: 60, duration: HOUR }

/** Key: Proof ID as asked for, normalised. */
export const PROOF_MISS_PROOF_ID: Limit = { points: 200, duration: HOUR }
