import { findFact, keepFact } from '../db/instance.ts'
import { AppError } from '../errors.ts'
import { listProofIds } from '../features/certificates/erasure/queries.ts'
import { findProof } from '../features/certificates/queries.ts'
import { findErasable as findCollection } from '../features/collections/erasure/queries.ts'
import { findErasable as findUser } from '../features/users/erasure/queries.ts'
import { recordEvents } from '../events/record-events.ts'
import { readErased, type KnownRow } from '../secrets/erased-list.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { carryOut, findErasure, hashProofId, macCollection, type ErasureDeps } from './erase-proof.ts'
import { eraseThings, holdCollectionWithProofs, type ErasedCounts } from './erase-things.ts'
import { carryOutUser, macUser } from './erase-user.ts'

/** Digest of the list when all of it was carried out in this database. A backup has that of its time. */
const FACT = 'erased_list'
const AT_ONCE = 1000

export interface ErasedAgain extends ErasedCounts {
  users: number
  /** Lines that could not be carried out. */
  left: number
}

/**
 * Erases what the list names and the database still has: after a restore, and where an erasure was interrupted. Where the same
 * list was carried out before it looks at nothing.
 * @param secrets Undefined where the key is not there yet: then what is known by it is left for the next start.
 */
export async function eraseAgain(deps: ErasureDeps, secrets: SecretBox | undefined): Promise<ErasedAgain> {
  const total: ErasedAgain = { collections: 0, proofs: 0, files: 0, users: 0, left: 0 }
  const { erased, digest } = await readErased(deps.keysDir)
  if (digest === undefined || (await findFact(deps.db, FACT)) === digest) return total
  const add = ({ collections, proofs, files }: ErasedCounts) => {
    total.collections += collections
    total.proofs += proofs
    total.files += files
  }
  const hashes = new Set(erased.flatMap((line) => ('proof' in line ? [line.proof] : [])))
  for (const id of hashes.size > 0 ? await listNamedProofs(deps, hashes) : []) {
    const proof = await findProof(deps.db, id)
    if (proof) add(await carryOut(deps, await findErasure(deps.db, proof)))
  }
  for (const line of erased) {
    const known = 'user' in line ? line.user : line.collection
    if (!known) continue
    if (!secrets) total.left += 1
    else if ('user' in line) await eraseUserAgain(deps, secrets, known, total, add)
    else if (await isNamedCollection(deps, secrets, known)) add(await eraseCollection(deps, known.id))
  }
  if (total.left === 0) await keepFact(deps.db, FACT, digest)
  return total
}

async function listNamedProofs({ db }: ErasureDeps, hashes: ReadonlySet<string>): Promise<number[]> {
  const named: number[] = []
  for (let last = 0; ;) {
    const proofs = await listProofIds(db, last, AT_ONCE)
    named.push(...proofs.filter(({ proofid }) => hashes.has(hashProofId(proofid))).map(({ id }) => id))
    const end = proofs.at(-1)
    if (!end) return named
    last = end.id
  }
}

/** As it was before it was approved. */
async function isNamedCollection({ db }: ErasureDeps, secrets: SecretBox, { id, mac }: KnownRow): Promise<boolean> {
  const collection = await findCollection(db, id)
  return collection !== undefined && macCollection(secrets, collection) === mac
}

function eraseCollection(deps: ErasureDeps, id: number): Promise<ErasedCounts> {
  return recordEvents(deps, async (transaction, emit) =>
    eraseThings(transaction, emit, await holdCollectionWithProofs(transaction, id)),
  )
}

async function eraseUserAgain(
  deps: ErasureDeps,
  secrets: SecretBox,
  { id, mac }: KnownRow,
  total: ErasedAgain,
  add: (counts: ErasedCounts) => void,
): Promise<void> {
  const user = await findUser(deps.db, { id })
  if (!user || macUser(secrets, user) !== mac) return
  try {
    add(await carryOutUser(deps, id))
    total.users += 1
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Of several at once another one did.
    if (error.code !== 'user_not_found') total.left += 1
  }
}
