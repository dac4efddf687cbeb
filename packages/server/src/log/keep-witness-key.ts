import { createPublicKey, sign } from 'node:crypto'
import { join } from 'node:path'
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
import { claimFact, findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { makeKeyFile, readKeyFile } from '../secrets/key-file.ts'
import { makeSigningKey, readSigningKey } from '../secrets/signing-key.ts'

const FILE = 'witness.key.pem'
/** Which key we began to witness with, and under which name: others hold it. */
const FACT = 'witness_key'

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
  { keysDir, keyPassphrase, witnessedLogs, witnessPolicy = 'quorum none\n' }: WitnessSettings,
  logName: string,
): Promise<OwnWitness | undefined> {
  if (witnessedLogs.length === 0) return undefined
  const known = await findFact(db, FACT)
  const path = join(keysDir, FILE)
  const pem =
    (await readKeyFile(keysDir, FILE)) ??
    (known === undefined ? await makeKeyFile(keysDir, FILE, makeSigningKey(keyPassphrase)) : undefined)
  if (pem === undefined) throw new StartFailure(`KEYS_DIR lacks the key that this installation witnesses with: ${path}`)
  const key = readSigningKey(pem, keyPassphrase, path)
  const publicKey = new Uint8Array(Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url'))
  const asked = [...parsePolicy(witnessPolicy).witnesses.values()]
  if (asked.some((witness) => areEqual(witness.key.publicKey, publicKey)))
    throw new StartFailure('WITNESS_POLICY names the key that this installation witnesses others with')
  const name = known?.split('+')[0] ?? `${logName}/witness`
  const verifierKey = formatVerifierKey(name, publicKey, SIGNATURE_TYPE.cosignature)
  await claimFact(db, FACT, verifierKey)
  if ((await findFact(db, FACT)) !== verifierKey)
    throw new StartFailure(`KEYS_DIR holds another key than this installation began to witness with: ${path}`)
  return {
    name,
    verifierKey,
    logs: Map.groupBy(witnessedLogs.map(parseVerifierKey), (one) => one.name),
    keyId: computeKeyId(name, publicKey, SIGNATURE_TYPE.cosignature),
    sign: async (message) => new Uint8Array(sign(null, message, key)),
  }
}
