import { hash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** An opaque token: 32 random bytes as base64url, 43 characters. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/**
 * What is stored of a token: its SHA-256, hex. A token has 256 random bits, so a plain hash cannot be searched, and
 * finding a row by it gives nothing away.
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** False for what cannot be a token of ours, so that nobody makes the database look for it. */
export function looksLikeToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}
