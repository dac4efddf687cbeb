import { areEqual } from '@proofdesk/proof/bytes'
import {
  computeKeyId,
  formatVerifierKey,
  parseVerifierKey,
  SIGNATURE_TYPE,
  type NoteSigner,
  type VerifierKey,
} from '@proofdesk/proof/log/note'
import { parsePolicy } from '@proofdesk/proof/log/policy'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import type { Db } from '../db/open.ts'
import { keepSigningKey } from '../secrets/keep-signing-key.ts'

/** What we are to the logs whose heads we sign. */
export interface OwnWitness extends NoteSigner {
  /** What their operators put into their policies. c2sp.org/signed-note, "Verifier keys" */
  verifierKey: string
  /** The keys of each log that is witnessed, by its origin. */
  logs: ReadonlyMap<string, readonly VerifierKey[]>
}

type WitnessSettings = Pick<Config, 'keysDir' | 'keyPassphrase' | 'witnessedLogs' | 'witnessPolicy'>

/**
 * The key that heads of other logs are signed with. It is another one than that of the own log: what a witness signs under
 * one key must never be a head under another. Made for an installation that is a witness for the first time, and demanded
 * ever after.
 * @returns undefined where no log is to be witnessed. @throws StartFailure
 */
export async function keepWitnessKey(
  db: Db,
  config: WitnessSettings,
  logName: string,
): Promise<OwnWitness | undefined> {
  const { witnessedLogs, witnessPolicy = 'quorum none\n' } = config
  if (witnessedLogs.length === 0) return undefined
  const asked = [...parsePolicy(witnessPolicy).witnesses.values()]
  const { publicKey, described, sign } = await keepSigningKey(db, config, {
    file: 'witness.key.pem',
    // Name and key: others hold them.
    fact: 'witness_key',
    purpose: 'this installation witnesses with',
    describe(bytes, known) {
      if (asked.some(({ key }) => areEqual(key.publicKey, bytes)))
        throw new StartFailure('WITNESS_POLICY names the key that this installation witnesses others with')
      return formatVerifierKey(known?.split('+')[0] ?? `${logName}/witness`, bytes, SIGNATURE_TYPE.cosignature)
    },
  })
  const { name } = parseVerifierKey(described)
  return {
    name,
    verifierKey: described,
    logs: Map.groupBy(witnessedLogs.map(parseVerifierKey), (one) => one.name),
    keyId: computeKeyId(name, publicKey, SIGNATURE_TYPE.cosignature),
    sign,
  }
}
