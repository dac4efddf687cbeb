import { createPublicKey, sign } from 'node:crypto'
import { join } from 'node:path'
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
import { claimFact, findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { makeKeyFile, readKeyFile } from '../secrets/key-file.ts'
import { makeSigningKey, readSigningKey } from '../secrets/signing-key.ts'

const FILE = 'log.key.pem'
/** Which key the log was begun with, and under which name: both are fixed for ever. */
const FACT = 'log_key'

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
export async function keepLogKey(db: Db, { keysDir, keyPassphrase, logOrigin }: Config): Promise<LogKey> {
  const known = await findFact(db, FACT)
  const pem =
    (await readKeyFile(keysDir, FILE)) ??
    (known === undefined ? await makeKeyFile(keysDir, FILE, makeSigningKey(keyPassphrase)) : undefined)
  if (pem === undefined)
    throw new StartFailure(`KEYS_DIR lacks the key that this database's log was begun with: ${join(keysDir, FILE)}`)
  const key = readSigningKey(pem, keyPassphrase, join(keysDir, FILE))
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
  const nameOf = (verifierKey: string) => verifierKey.split('+')[0] ?? ''
  const name = known === undefined ? (logOrigin ?? makeOrigin(publicKey)) : nameOf(known)
  if (logOrigin !== undefined && logOrigin !== name)
    throw new StartFailure(`LOG_ORIGIN is ${logOrigin}, but the log of this database was begun as ${name}`)
  const verifierKey = formatVerifierKey(name, new Uint8Array(publicKey))
  await claimFact(db, FACT, verifierKey)
  if ((await findFact(db, FACT)) !== verifierKey)
    throw new StartFailure(`KEYS_DIR holds another key than this database's log was begun with: ${join(keysDir, FILE)}`)
  return {
    name,
    verifier: parseVerifierKey(verifierKey),
    verifierKey,
    keyId: computeKeyId(name, new Uint8Array(publicKey)),
    sign: async (message) => new Uint8Array(sign(null, message, key)),
  }
}

/** Says nothing about where it runs: an installation may move. */
const makeOrigin = (publicKey: Uint8Array): string => `proofdesk.local/${toHex(publicKey).slice(0, 16)}`
