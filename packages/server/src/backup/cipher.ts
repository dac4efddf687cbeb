import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto'
import { PassThrough, Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'
import { StartFailure } from '../config/start-failure.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CHECK_DIGITS = 32
/** OWASP's parameters for scrypt; 128 MB. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** What a backup is written and read through. Each file is bound to its name: none can be put in place of another. */
export interface Cipher {
  seal(name: string): Transform
  /** Fails at its end with `SpoiledBackup` for bytes that were not sealed under this name by this key. */
  open(name: string): Transform
}

/** What stands in a backup is not what was written. */
export class SpoiledBackup extends StartFailure {}

export const PLAIN: Cipher = { seal: () => new PassThrough(), open: () => new PassThrough() }

/** AES-256-GCM with a random nonce a file, by a key from the passphrase. */
export interface KeyedCipher extends Cipher {
  /** Hex. Tells this key from that of another passphrase or salt, before any file is opened. */
  check: string
}

/**
 * @param salt Hex.
 * @param check Of the key that it has to be, where that is known.
 */
export async function openCipher(passphrase: string, salt: string, check?: string): Promise<KeyedCipher> {
  const key = await deriveKey(passphrase, salt)
  const own = createHmac('sha256', key).update('proofdesk-backup').digest('hex').slice(0, CHECK_DIGITS)
  const doubt = check === own ? '' : ', or the passphrase is another'
  return { check: own, seal: (name) => new Sealing(key, name), open: (name) => new Opening(key, name, doubt) }
}

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

/** The last that was derived: a backup and its drill are of the same, and each time costs a third of a second and 128 MB. */
let last: { passphrase: string; salt: string; key: Promise<Buffer> } | undefined

function deriveKey(passphrase: string, salt: string): Promise<Buffer> {
  if (last?.passphrase !== passphrase || last.salt !== salt) {
    const key = derive(passphrase, Buffer.from(salt, 'hex'), KEY_BYTES, COST)
    const made = { passphrase, salt, key }
    // What failed, for want of memory, is tried again.
    key.catch(() => last === made && (last = undefined))
    last = made
  }
  return last.key
}

/** Nonce, ciphertext, tag. */
class Sealing extends Transform {
  readonly #cipher
  constructor(key: Buffer, name: string) {
    super()
    const nonce = randomBytes(NONCE_BYTES)
    this.#cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
    this.push(nonce)
  }
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, this.#cipher.update(chunk))
  }
  override _flush(done: TransformCallback): void {
    this.push(this.#cipher.final())
    done(null, this.#cipher.getAuthTag())
  }
}

class Opening extends Transform {
  readonly #key: Buffer
  readonly #name: string
  readonly #doubt: string
  #decipher: ReturnType<typeof createDecipheriv> | undefined
  /** Not yet deciphered: the last bytes are the tag. */
  #held = Buffer.alloc(0)
  /** @param doubt What else may be wrong. */
  constructor(key: Buffer, name: string, doubt: string) {
    super()
    this.#key = key
    this.#name = name
    this.#doubt = doubt
  }
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#held = Buffer.concat([this.#held, chunk])
    if (!this.#decipher && this.#held.length >= NONCE_BYTES) {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, this.#held.subarray(0, NONCE_BYTES))
      this.#decipher = Object.assign(decipher.setAAD(Buffer.from(this.#name)))
      this.#held = this.#held.subarray(NONCE_BYTES)
    }
    const ready = this.#held.length - TAG_BYTES
    if (!this.#decipher || ready <= 0) return done()
    const told = this.#decipher.update(this.#held.subarray(0, ready))
    this.#held = this.#held.subarray(ready)
    done(null, told)
  }
  override _flush(done: TransformCallback): void {
    try {
      const decipher = this.#decipher as ReturnType<typeof createDecipheriv> & { setAuthTag(tag: Buffer): void }
      if (this.#held.length !== TAG_BYTES) throw new Error('cut off')
      decipher.setAuthTag(this.#held)
      done(null, decipher.final())
    } catch (cause) {
      done(new SpoiledBackup(`${this.#name} is not what was written${this.#doubt}`, { cause }))
    }
  }
}
