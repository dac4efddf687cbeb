/** Writes the few DER values that a CMS signature is made of (ITU-T X.690). */

function writeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  if (length < 0x100) return Buffer.from([0x81, length])
  if (length < 0x10000) return Buffer.from([0x82, length >> 8, length & 0xff])
  return Buffer.from([0x83, length >> 16, (length >> 8) & 0xff, length & 0xff])
}

/** Tag, length, value. */
export function writeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), writeLength(value.length), value])
}

export const writeSequence = (...parts: readonly Uint8Array[]): Buffer => writeDer(0x30, ...parts)
export const writeOctets = (bytes: Uint8Array): Buffer => writeDer(0x04, bytes)
export const writeSmallInteger = (value: number): Buffer => writeDer(0x02, Uint8Array.of(value))

/** Elements of a set are sorted by their encoding. */
export function writeSet(...parts: readonly Uint8Array[]): Buffer {
  return writeDer(0x31, ...[...parts].sort((a, b) => Buffer.compare(a, b)))
}

/** @param dotted For example `1.2.840.113549.1.7.2`. */
export function writeObjectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const groups = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return writeDer(0x06, Uint8Array.from(bytes))
}

/** The elements inside a constructed value that is known to be well formed. */
export function listDerElements(der: Uint8Array): { tag: number; encoded: Uint8Array }[] {
  const outer = readHeader(der, 0)
  const elements: { tag: number; encoded: Uint8Array }[] = []
  for (let at = outer.start; at < outer.end;) {
    const { end } = readHeader(der, at)
    elements.push({ tag: der[at]!, encoded: der.subarray(at, end) })
    at = end
  }
  return elements
}

function readHeader(der: Uint8Array, at: number): { start: number; end: number } {
  let length = der[at + 1] ?? 0
  let start = at + 2
  if (length >= 0x80) {
    const count = length & 0x7f
    length = 0
    for (let i = 0; i < count; i++) length = length * 256 + (der[start + i] ?? 0)
    start += count
  }
  return { start, end: start + length }
}
