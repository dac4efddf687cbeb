import { createPublicKey, sign } from 'node:crypto'
import { join } from 'node:path'
import { computePaperKeyId } from '@proofdesk/proof/paper/paper-key-id'
import { formatPaperKey } from '@proofdesk/proof/paper/paper-key'
import type { PaperSigner } from '@proofdesk/proof/paper/paper-code'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { claimFact, findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { makeKeyFile, readKeyFile } from './key-file.ts'
import { makeSigningKey, readSigningKey } from './signing-key.ts'

const FILE = 'paper.key.pem'
/** Which key the codes of this installation are signed with. */
const FACT = 'paper_key'

/** What signs the codes on certificates, and receipts. It signs nothing else: whoever steals it can sign no head of the log. */
export interface PaperKey extends PaperSigner {
  /** The public half, as the policy of the instance has it. */
  publicKey: string
}

/**
 * The key for codes on paper: made for an installation that never had one, as at the first start of a version that knows
 * it, and demanded ever after.
 * @throws StartFailure
 */
export async function keepPaperKey(db: Db, { keysDir, keyPassphrase }: Config): Promise<PaperKey> {
  const path = join(keysDir, FILE)
  const known = await findFact(db, FACT)
  const pem =
    (await readKeyFile(keysDir, FILE)) ??
    (known === undefined ? await makeKeyFile(keysDir, FILE, makeSigningKey(keyPassphrase)) : undefined)
  if (pem === undefined)
    throw new StartFailure(`KEYS_DIR lacks the key that signs this database's codes on paper: ${path}`)
  const key = readSigningKey(pem, keyPassphrase, path)
  const bytes = new Uint8Array(Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url'))
  const publicKey = formatPaperKey(bytes)
  await claimFact(db, FACT, publicKey)
  if ((await findFact(db, FACT)) !== publicKey)
    throw new StartFailure(`KEYS_DIR holds another key than the one that signs this database's codes on paper: ${path}`)
  return {
    publicKey,
    keyId: computePaperKeyId(bytes),
    sign: async (message) => new Uint8Array(sign(null, message, key)),
  }
}

/** The public half by the database alone, for commands that sign nothing; undefined before the first start that knows it. */
export const findPaperKey = (db: Db): Promise<string | undefined> => findFact(db, FACT)
