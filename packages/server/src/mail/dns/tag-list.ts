/**
 * A list such as `v=DKIM1; k=rsa; p=…` (RFC 6376 section 3.2), which DMARC has, too. The order of its tags is kept.
 * @returns undefined for what is none, or has a tag twice
 */
export function parseTagList(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>()
  const parts = text.replace(/;\s*$/, '').split(';')
  for (const part of parts) {
    const [, name, value] = /^\s*([A-Za-z][A-Za-z0-9_]*)\s*=\s*([\s\S]*?)\s*$/.exec(part) ?? []
    if (name === undefined || value === undefined || tags.has(name)) return undefined
    tags.set(name, value)
  }
  return tags
}
