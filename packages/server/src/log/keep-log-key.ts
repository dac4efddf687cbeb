import { toHex } from '@proofdesk/proof/bytes'
import {
  computeKeyId,
  formatVerifierKey,
  type NoteSigner,
  parseVerifierKey,
  type VerifierKey,
} from '@proofdesk/proof/log/note'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import type { Db } from '../db/open.ts'
import { keepSigningKey } from '../secrets/keep-signing-key.ts'

/** What signs the heads of the log. It is in no database: whoever steals one can forge no head. */
export interface LogKey extends NoteSigner {
  /** The name of the log. c2sp.org/tlog-checkpoint, "Note text" */
  name: string
  verifier: VerifierKey
  /** The same as text. c2sp.org/signed-note, "Verifier keys" */
  verifierKey: string
}

/**
 * The key of the log: made for an installation that never had one, and demanded ever after.
 * @throws StartFailure
 */
export async function keepLogKey(db: Db, config: Config): Promise<LogKey> {
  const { publicKey, described, sign } = await keepSigningKey(db, config, {
    file: 'log.key.pem',
    // Name and key: both are fixed for ever.
    fact: 'log_key',
    purpose: "this database's log was begun with",
    describe: (bytes, known) => formatVerifierKey(nameLog(config, bytes, known), bytes),
  })
  const verifier = parseVerifierKey(described)
  const { name } = verifier
  return { name, verifier, verifierKey: described, keyId: computeKeyId(name, publicKey), sign }
}

/** Without a setting it says nothing about where it runs: an installation may move. */
function nameLog({ logOrigin }: Config, publicKey: Uint8Array, known: string | undefined): string {
  const name = known?.split('+')[0] ?? logOrigin ?? `proofdesk.local/${toHex(publicKey).slice(0, 16)}`
  if (logOrigin !== undefined && logOrigin !== name)
    throw new StartFailure(`LOG_ORIGIN is ${logOrigin}, but the log of this database was begun as ${name}`)
  return name
}
