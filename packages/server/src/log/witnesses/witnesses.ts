import type { VerifierKey } from '@proofdesk/proof/log/note'
import { parsePolicy, type Policy } from '@proofdesk/proof/log/policy'

/** Whoever is asked to sign our heads. */
export interface Witness {
  /** Under which it is known: that of its key. */
  name: string
  /** As the database names its key. */
  id: string
  key: VerifierKey
  /** Where `/add-checkpoint` is put behind. */
  url: string
}

export interface Witnesses {
  /** As strangers take it, our own log in it. */
  policy: Policy
  /** Every witness of the policy. */
  all: readonly Witness[]
}

/** @param policyText As `formatPolicy` writes it. @throws ProofError `log_policy` where a witness has the log's own key. */
export function readWitnesses(policyText: string): Witnesses {
  const policy = parsePolicy(policyText)
  const all = [...policy.witnesses.values()].flatMap(({ key, url }) =>
    url === null ? [] : [{ name: key.name, id: nameWitnessKey(key), key, url }],
  )
  return { policy, all }
}

/** Name and ID, as they stand in a note: one key under one name. c2sp.org/signed-note, "Signatures" */
export function nameWitnessKey({ name, keyId }: Pick<VerifierKey, 'name' | 'keyId'>): string {
  return `${name}+${keyId.toString(16).padStart(8, '0')}`
}
