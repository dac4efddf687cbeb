import { HOUR, type Limit } from '../../http/limit.ts'

/** Key: client. */
export const PROOF_MISS_ADDRESS: Limit = { name: 'proof_miss_address', points: 60, duration: HOUR }

/** Misses that a page of another site has a browser make: they leave their reader the others. Key: client. */
export const PROOF_MISS_EMBEDDED: Limit = { name: 'proof_miss_embedded', points: 60, duration: HOUR }

/** Key: Proof ID as asked for, normalised. */
export const PROOF_MISS_PROOF_ID: Limit = { name: 'proof_miss_proof_id', points: 200, duration: HOUR }
