import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const MAC_KEY_BYTES = 32
/** One takes a tenth of verifying a document, and the same ones are verified again and again. A kilobyte or two each. */
const MACS_KEPT = 500

/** Encrypts small secrets that must be read again, such as those of authenticator apps, before they are stored. */
export interface SecretBox {
  /** @param purpose What the secret is and whose; a sealed text opens under the very same one only. */
  seal(text: string, purpose: string): string
  /** @throws when the text was sealed by another key or for another purpose, or was altered. */
  open(sealed: string, purpose: string): string
  /** Shows that a text which is stored in the clear is ours: HMAC-SHA-256, base64url, under a key of the same root. */
  mac(text: string, purpose: string): string
}

/** AES-256-GCM with a random nonce: base64url of nonce, ciphertext and tag (NIST SP 800-38D). @param key 32 bytes */
export function openSecretBox(key: Uint8Array): SecretBox {
  const macKey = new Uint8Array(hkdfSync('sha256', key, '', 'proofdesk mac', MAC_KEY_BYTES))
  const macs = new Map<string, string>()
  return {
    seal: (text, purpose) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open: (sealed, purpose) => {
      const bytes = Buffer.from(sealed, 'base64url')
      const tagAt = bytes.length - TAG_BYTES
      const opener = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      opener.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(tagAt))
      return Buffer.concat([opener.update(bytes.subarray(NONCE_BYTES, tagAt)), opener.final()]).toString('utf8')
    },
    mac: (text, purpose) => {
      const marked = `${purpose}\n${text}`
      const mac = macs.get(marked) ?? createHmac('sha256', macKey).update(marked).digest('base64url')
      // What was asked for last is at the end.
      macs.delete(marked)
      macs.set(marked, mac)
      const [oldest] = macs.keys()
      if (macs.size > MACS_KEPT && oldest !== undefined) macs.delete(oldest)
      return mac
    },
  }
}
