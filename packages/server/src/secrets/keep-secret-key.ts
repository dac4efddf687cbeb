import { randomBytes, scrypt } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../config/config.ts'
import { claimFact, findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { StartFailure } from '../config/start-failure.ts'
import { makeKeyFile, readKeyFile } from './key-file.ts'
import { openSecretBox, type SecretBox } from './secret-box.ts'
import { hashToken } from './tokens.ts'

const FILE = 'secrets.key'
const KEY_BYTES = 32
/** Base64url of 32 bytes. */
const FORM = /^[A-Za-z0-9_-]{43}\n?$/

/** Which key the database was made with. */
const FACT = 'secret_key_fingerprint'

const stretch = promisify<string, Uint8Array, number, Buffer>(scrypt)

/**
 * The key that stored secrets are encrypted with: a file of KEYS_DIR, made for an installation that never had one, and
 * ever after demanded, since without it nobody's authenticator app would be known any more. Where a passphrase is set
 * the file alone is worth nothing.
 * @throws StartFailure
 */
export async function keepSecretKey(db: Db, { keysDir, keyPassphrase }: Config): Promise<SecretBox> {
  const known = await findFact(db, FACT)
  const text =
    (await readKeyFile(keysDir, FILE)) ??
    (known === undefined ? await makeKeyFile(keysDir, FILE, makeKey()) : undefined)
  if (text === undefined)
    throw new StartFailure(`KEYS_DIR lacks the key this database was made with: ${join(keysDir, FILE)}`)
  if (!FORM.test(text)) throw new StartFailure(`KEYS_DIR holds a damaged key: ${join(keysDir, FILE)}`)
  const bytes = Buffer.from(text.trim(), 'base64url')
  const key = keyPassphrase === undefined ? bytes : await stretch(keyPassphrase, bytes, KEY_BYTES)
  const fingerprint = hashToken(`secret-key\n${key.toString('base64url')}`)
  await claimFact(db, FACT, fingerprint)
  if ((await findFact(db, FACT)) !== fingerprint)
    throw new StartFailure(`KEYS_DIR holds another key, or KEY_PASSPHRASE is another: ${join(keysDir, FILE)}`)
  return openSecretBox(key)
}

/** The same where it lies there already. @throws StartFailure as `keepSecretKey`, for a key that is not that of the database */
export async function findSecretKey(db: Db, config: Config): Promise<SecretBox | undefined> {
  return (await readKeyFile(config.keysDir, FILE)) === undefined ? undefined : keepSecretKey(db, config)
}

const makeKey = (): string => `${randomBytes(KEY_BYTES).toString('base64url')}\n`
