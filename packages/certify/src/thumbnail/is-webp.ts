/** The container's first twelve bytes: RIFF, a length, WEBP (RFC 9649 section 2.4). */
export function isWebp(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1')
  return start.startsWith('RIFF') && start.endsWith('WEBP') && start.length === 12
}
