import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { claimFact, findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { makeKeyFile, readKeyFile } from './key-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** One of the Ed25519 keys of an installation, each for a purpose of its own. */
export interface SigningKeyUse {
  /** In KEYS_DIR. */
  file: string
  /** Under which the database knows its public half. */
  fact: string
  /** Behind "the key that", for whoever has to mend it. */
  purpose: string
  /**
   * The public half as the database keeps it.
   * @param known What it has kept; undefined before the first start that knows the key.
   * @throws StartFailure for a key that must not be this one.
   */
  describe(publicKey: Bytes, known: string | undefined): string
}

/** The private half stays in this process. */
export interface SigningKey {
  publicKey: Bytes
  described: string
  sign(message: Bytes): Promise<Bytes>
}

/**
 * A key that is made for an installation that never had it, and demanded ever after: others hold its public half.
 * @throws StartFailure
 */
export async function keepSigningKey(
  db: Db,
  { keysDir, keyPassphrase }: Pick<Config, 'keysDir' | 'keyPassphrase'>,
  { file, fact, purpose, describe }: SigningKeyUse,
): Promise<SigningKey> {
  const path = join(keysDir, file)
  const known = await findFact(db, fact)
  const pem =
    (await readKeyFile(keysDir, file)) ??
    (known === undefined ? await makeKeyFile(keysDir, file, makeKey(keyPassphrase)) : undefined)
  if (pem === undefined) throw new StartFailure(`KEYS_DIR lacks the key that ${purpose}: ${path}`)
  const key = readKey(pem, keyPassphrase, path)
  const publicKey = new Uint8Array(Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url'))
  const described = describe(publicKey, known)
  await claimFact(db, fact, described)
  if ((await findFact(db, fact)) !== described)
    throw new StartFailure(`KEYS_DIR holds another key than the one that ${purpose}: ${path}`)
  return { publicKey, described, sign: async (message) => new Uint8Array(sign(null, message, key)) }
}

/** PKCS #8 in PEM, encrypted where there is a passphrase. */
function makeKey(passphrase: string | undefined): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  return privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString()
}

function readKey(pem: string, passphrase: string | undefined, path: string): KeyObject {
  const isEncrypted = pem.includes('ENCRYPTED')
  try {
    const key = createPrivateKey(isEncrypted && passphrase !== undefined ? { key: pem, passphrase } : pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (cause) {
    const why = isEncrypted ? 'KEY_PASSPHRASE does not open it' : 'it holds no private key'
    throw new StartFailure(`The key in KEYS_DIR cannot be used: ${path}: ${why}`, { cause })
  }
  throw new StartFailure(`The key in KEYS_DIR cannot be used: ${path}: it is no Ed25519 key`)
}
