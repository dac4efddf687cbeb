/** @param at Behind its bracket. @returns the place behind it, or undefined where it holds a character beyond 255, which readers take otherwise. */
export function skipString(content: Buffer, at: number): number | undefined {
  let depth = 1
  for (; at < content.length && depth > 0; at++) {
    const byte = content[at]
    if (byte === 0x29) depth--
    else if (byte === 0x28) depth++
    else if (byte === 0x5c && isBeyondByte(content, ++at)) return undefined
  }
  return at
}

/** Three octal digits, of which some readers leave out the highest bit. */
function isBeyondByte(content: Buffer, at: number): boolean {
  const first = content[at] ?? 0
  return first >= 0x34 && first <= 0x37 && isOctal(content[at + 1] ?? 0) && isOctal(content[at + 2] ?? 0)
}

const isOctal = (byte: number): boolean => byte >= 0x30 && byte <= 0x37
