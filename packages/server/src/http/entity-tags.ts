/** RFC 9110, section 8.8.3: `W/` is written so and not otherwise, and commas and stars may stand between the quotes. */
const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Whether a header such as `If-None-Match` names the tag, weak or not (RFC 9110, section 13.1.2), or says a star for any. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header?.trim() === '*') return true
  return listTags(header).some(({ opaque }) => opaque === tag.replace(/^W\//, ''))
}

/** The same where the bytes count: what is weak names no bytes (RFC 9110, section 13.1.1). */
export function namesTagStrongly(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return listTags(header).some(({ isWeak, opaque }) => !isWeak && opaque === tag)
}

function listTags(header = ''): { isWeak: boolean; opaque: string }[] {
  return [...header.matchAll(TAG)].map(([, weak, opaque = '']) => ({ isWeak: weak !== undefined, opaque }))
}
