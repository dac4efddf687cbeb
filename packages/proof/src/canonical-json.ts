/** What JSON can say, with whole numbers only. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Nothing that this program writes is nested deeper; deeper text is refused before it fills the stack. */
const MAX_DEPTH = 8

/**
 * JSON in its one form: names in order, no blanks.
 * @returns undefined for fractions, numbers from 2^53 on, lone surrogates, and what is nested deeper than 8 levels.
 * @see RFC 8785
 */
export function formatCanonicalJson(value: JsonValue, depth = 0): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? JSON.stringify(value) : undefined
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : undefined
  if (depth === MAX_DEPTH) return undefined
  if (Array.isArray(value)) {
    const parts = value.map((part) => formatCanonicalJson(part, depth + 1))
    return parts.includes(undefined) ? undefined : `[${parts.join(',')}]`
  }
  // RFC 8785 section 3.2.3: by UTF-16 code units, as `<` does
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  const parts = members.map(([name, part]) => [formatCanonicalJson(name), formatCanonicalJson(part, depth + 1)])
  return parts.flat().includes(undefined) ? undefined : `{${parts.map((part) => part.join(':')).join(',')}}`
}

/** Reads JSON in its one form. @returns undefined for any other text. RFC 8785. */
export function parseCanonicalJson(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue
    return formatCanonicalJson(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

/** The members of an object; undefined for any other value, also for a list. */
export function readMembers(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as Readonly<Record<string, JsonValue>>
}

export function isTextList(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string')
}
