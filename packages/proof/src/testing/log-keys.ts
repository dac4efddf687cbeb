import { createPrivateKey, createPublicKey, hash, sign, type KeyObject } from 'node:crypto'
import type { Bytes } from '../bytes.ts'
import { computeKeyId, formatVerifierKey, SIGNATURE_TYPE, type NoteSigner } from '../log/note.ts'

/** PKCS #8 of an Ed25519 key before its 32 bytes. RFC 8410 section 7. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A log's or a witness's key, for tests. */
export interface TestLogKey {
  signer: NoteSigner
  verifierKey: string
  publicKey: Bytes
}

/** The key that 32 bytes stand for; without them, one that depends on the name alone. */
export function makeLogKey(
  name: string,
  type: number = SIGNATURE_TYPE.ed25519,
  secret: Uint8Array = hash('sha256', `${type} ${name}`, 'buffer'),
): TestLogKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, secret]), format: 'der', type: 'pkcs8' })
  const publicKey = readPublicKey(key)
  return {
    signer: {
      name,
      keyId: computeKeyId(name, publicKey, type),
      sign: async (message) => Uint8Array.from(sign(null, message, key)),
    },
    verifierKey: formatVerifierKey(name, publicKey, type),
    publicKey,
  }
}

function readPublicKey(key: KeyObject): Bytes {
  return Uint8Array.from(createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32))
}
