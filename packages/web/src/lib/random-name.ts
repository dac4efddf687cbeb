/** 128 random bits in hexadecimal; `crypto.randomUUID` is missing where there is no TLS. */
export function makeRandomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
