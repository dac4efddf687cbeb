import type { SecretBox } from '../secrets/secret-box.ts'

/** Who can write the database can work out hashes, but not these: links made, or emptied, by others are known. */
export function macLink(secrets: SecretBox, hash: string): string {
  return secrets.mac(hash, 'link of the audit trail')
}

export function macEmptied(secrets: SecretBox, hash: string, emptiedAt: number): string {
  return secrets.mac(`${hash} ${emptiedAt}`, 'emptied link of the audit trail')
}
