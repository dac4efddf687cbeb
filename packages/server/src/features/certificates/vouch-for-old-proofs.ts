import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/open.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { explainDisk, StartFailure } from '../../config/start-failure.ts'
import { macClaim, macSeal } from './proof-mac.ts'
import { listUnvouched, recordMacs } from './queries.ts'

/** Beside the keys and not in the database, whose writers are those who are not to be trusted with it. */
const MARK = 'proofs-vouched'
const WORDS = `Each proof in the database carries a MAC since this file was written; one without is refused.
Only who restores a database from before that removes this file, so that the next start vouches for its proofs once more.
`

/**
 * Vouches for the proofs from before there were MACs, as they stand: once, at the first start that knows of them.
 * @throws StartFailure when the mark cannot be written.
 */
export async function vouchForOldProofs(db: Db, secrets: SecretBox, { keysDir }: Config): Promise<void> {
  const mark = join(keysDir, MARK)
  const isMarked = await access(mark).then(
    () => true,
    () => false,
  )
  if (isMarked) return
  for (const proof of await listUnvouched(db))
    await recordMacs(db, proof.id, {
      claim_mac: macClaim(secrets, proof),
      seal_mac: proof.sealed_key === null ? null : macSeal(secrets, proof),
    })
  try {
    await writeFile(mark, WORDS, { flag: 'w', mode: 0o600, flush: true })
  } catch (cause) {
    throw new StartFailure(`KEYS_DIR cannot be written to: ${mark}: ${explainDisk(cause)}`, { cause })
  }
}
