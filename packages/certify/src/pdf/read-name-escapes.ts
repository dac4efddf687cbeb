/** Names with their escapes read: `#41` is `A` (ISO 32000-2, 7.3.5). */
export function readNameEscapes(text: string): string {
  return text.replaceAll(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
