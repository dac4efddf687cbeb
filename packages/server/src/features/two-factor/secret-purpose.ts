/** Binds a sealed secret to its person, so that a row copied to another account opens nothing. */
export function toPurpose(userId: number): string {
  return `authenticator ${userId}`
}
