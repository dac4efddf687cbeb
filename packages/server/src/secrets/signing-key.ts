import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { StartFailure } from '../config/start-failure.ts'

/** A new Ed25519 key as PKCS #8 in PEM, encrypted where there is a passphrase. */
export function makeSigningKey(passphrase: string | undefined): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  return privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString()
}

/** @throws StartFailure */
export function readSigningKey(pem: string, passphrase: string | undefined, path: string): KeyObject {
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
