/** The parts of a key. @throws TypeError for what is no key. */
export function splitKey(key: string): string[] {
  const parts = key.split('/')
  const isSound = parts.every((part) => /^[a-z0-9][a-z0-9.-]*$/.test(part))
  if (!isSound) throw new TypeError('a blob key has lower-case letters, digits, "/", "-" and "." only')
  return parts
}
