import { AppError } from '../../errors.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { isEqualText } from './equal-text.ts'
import type { ProofRecord } from './queries.ts'

/**
 * Who can write the database and nothing else can still not make a proof: each row carries MACs by a key of KEYS_DIR over
 * what was decided and, once it is there, over the sealed file. Only keys under these folders are sealed and shown.
 */
const REVISIONS = 'revisions/'
const CERTIFIED = 'certified/'

/** What was decided. Both MACs are over it in this order: another order is another MAC, and refuses every proof there is. */
const DECIDED = [
  'proofid',
  'owner_id',
  'reviewer_id',
  'title',
  'username',
  'reviewer_username',
  'admin_desc',
  'approved_at',
  'expire_time',
  'seed',
  'revision0_sha256',
  'revision0_size',
  'revision0_facts',
  'pages',
] as const satisfies (keyof ProofRecord)[]
type Decided = Pick<ProofRecord, (typeof DECIDED)[number]>
/** Both are let go of later: the collection may be deleted, and revision 0 is removed once the sealed file is shown. */
type Claimed = Decided & Pick<ProofRecord, 'collection_id' | 'revision0_key'>
type Sealed = Decided & Pick<ProofRecord, 'sealed_key' | 'sealed_sha256' | 'sealed_size'>

export function macClaim(secrets: SecretBox, proof: Claimed): string {
  return secrets.mac(writeFields([...listDecided(proof), proof.collection_id, proof.revision0_key]), 'proof claim')
}

export function macSeal(secrets: SecretBox, proof: Sealed): string {
  const { sealed_key, sealed_sha256, sealed_size } = proof
  return secrets.mac(writeFields([...listDecided(proof), sealed_key, sealed_sha256, sealed_size]), 'proof seal')
}

/** Before anything is sealed for a claim. @throws AppError `proof_altered` */
export function mustBeClaimedByUs(secrets: SecretBox, proof: ProofRecord): void {
  const isOurs = proof.revision0_key?.startsWith(REVISIONS) && isSame(proof.claim_mac, macClaim(secrets, proof))
  if (!isOurs) throw new AppError('proof_altered')
}

/** Before a sealed file is published or sent. @throws AppError `proof_altered` */
export function mustBeSealedByUs(secrets: SecretBox, proof: ProofRecord): void {
  const isOurs = proof.sealed_key?.startsWith(CERTIFIED) && isSame(proof.seal_mac, macSeal(secrets, proof))
  if (!isOurs) throw new AppError('proof_altered')
}

function listDecided(proof: Decided): unknown[] {
  return DECIDED.map((name) => proof[name])
}

/** JSON keeps numbers, text and null apart, and where one ends. */
function writeFields(fields: unknown[]): string {
  return JSON.stringify(fields)
}

function isSame(given: string | null, expected: string): boolean {
  return given !== null && isEqualText(given, expected)
}
