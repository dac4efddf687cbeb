import english from '../messages/en.json' with { type: 'json' }

type Catalogue = Omit<typeof english, '$schema'>

/**
 * A sentence of the product by its key; the words stand in `messages/en.json`, once for server and web. Those that have a
 * form for each number are the web's alone.
 */
export type MessageKey = { [K in keyof Catalogue]: Catalogue[K] extends string ? K : never }[keyof Catalogue]

/** English words of a key, with `{name}` places filled in. For the server: the web compiles the same file. */
export function sayEnglish(key: MessageKey, values: Record<string, string | number> = {}): string {
  return english[key].replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** The same, with the filled-in places kept apart from the words around them. */
export function splitEnglish(key: MessageKey, values: Record<string, string> = {}): EnglishPart[] {
  // Words stand at even places, names of places at odd ones.
  return english[key].split(/\{(\w+)\}/).map((text, at) => {
    if (at % 2 === 0) return { text, isValue: false }
    const value = values[text]
    return value === undefined ? { text: `{${text}}`, isValue: false } : { text: value, isValue: true }
  })
}

/** A piece of a sentence: words of the catalogue, or what was filled in. */
export interface EnglishPart {
  text: string
  isValue: boolean
}

/** English words of a validation message, which is a key; the library's own words never reach anybody. */
export function sayIssue(message: string): string {
  return sayEnglish(isMessageKey(message) ? message : 'invalid')
}

export function isMessageKey(text: string): text is MessageKey {
  return text !== '$schema' && Object.hasOwn(english, text) && typeof english[text as MessageKey] === 'string'
}
