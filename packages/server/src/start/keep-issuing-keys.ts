import { ensureIssuingKeys, loadSigningKey } from '@proofdesk/certify/issuing-keys'
import type { Config } from '../config/config.ts'
import { claimFact, findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { StartFailure } from '../config/start-failure.ts'

/**
 * Makes the issuing keys of an installation that never had any, and ever after demands the very same ones: proofs that
 * were issued under them must stay verifiable.
 * @returns SHA-256 of the certificate that seals, hex.
 * @throws StartFailure
 */
export async function keepIssuingKeys(db: Db, config: Config): Promise<string> {
  const { keysDir: dir, keyPassphrase: passphrase, organisation } = config
  const known = await findFact(db, 'ca_fingerprint')
  // Where fingerprints are known, a missing key is never replaced by a new one.
  if (known !== undefined) await orExplain(dir, () => loadSigningKey(dir, passphrase))
  const keys = await orExplain(dir, () => ensureIssuingKeys({ dir, organisation, passphrase }))
  const facts = [
    ['ca_fingerprint', keys.caFingerprint],
    ['leaf_fingerprint', keys.leafFingerprint],
  ] as const
  for (const [name, value] of facts) {
    await claimFact(db, name, value)
    if ((await findFact(db, name)) !== value)
      throw new StartFailure(`KEYS_DIR holds other keys than the ones this database was made with: ${dir}`)
  }
  return keys.leafFingerprint
}

async function orExplain<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    throw new StartFailure(`The keys in KEYS_DIR cannot be used: ${dir}: ${message}`, { cause })
  }
}
