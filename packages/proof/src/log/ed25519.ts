import { readLatin1, type Bytes } from '../bytes.ts'
import { ProofError } from '../errors.ts'
import { remember } from '../remember.ts'

/** Logs and witnesses sign again and again. */
const findKey = remember<CryptoKey>()

/** Length of a public key and of a signature. RFC 8032 section 5.1. */
export const PUBLIC_KEY_BYTES = 32
export const SIGNATURE_BYTES = 64

/**
 * Whether an Ed25519 signature is right.
 * @throws ProofError `unsupported` where WebCrypto does not know Ed25519, which older browsers do not, or is missing.
 * @see RFC 8032 section 5.1.7
 */
export async function verifyEd25519(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false
  // pages that did not come over https have no `subtle`
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined
  if (!subtle) throw new ProofError('unsupported', 'no WebCrypto')
  try {
    const key = await findKey(readLatin1(publicKey), () =>
      subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']),
    )
    return await subtle.verify('Ed25519', key, signature, message)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    if (error.name === 'NotSupportedError') throw new ProofError('unsupported', 'no Ed25519', { cause: error })
    // 32 bytes that are no point of the curve
    return false
  }
}
