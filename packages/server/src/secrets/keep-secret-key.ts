import { randomBytes, scrypt } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../config/config.ts'
import { claimFact, findFact } from '../db/instance.ts'
import type { Db } from '../db/open.ts'
import { openSecretBox, type SecretBox } from './secret-box.ts'
import { explainDisk, StartFailure } from '../config/start-failure.ts'
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
  const text = (await readKeyFile(keysDir)) ?? (known === undefined ? await makeKeyFile(keysDir) : undefined)
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

async function readKeyFile(dir: string): Promise<string | undefined> {
  try {
    return await readFile(join(dir, FILE), 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartFailure(`The key in KEYS_DIR cannot be read: ${join(dir, FILE)}: ${explainDisk(cause)}`, { cause })
  }
}

/** Written aside and linked into place when it is durable: of two starts at once one makes it, the other reads it. */
async function makeKeyFile(dir: string): Promise<string | undefined> {
  const path = join(dir, FILE)
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const file = await open(part, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64url')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(part, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    const folder = await open(dir)
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (cause) {
    throw new StartFailure(`A key cannot be written to KEYS_DIR: ${dir}: ${explainDisk(cause)}`, { cause })
  } finally {
    await rm(part, { force: true })
  }
  return readKeyFile(dir)
}
