import english from '../messages/en.json' with { type: 'json' }

/** A sentence of the product by its key; the words stand in `messages/en.json`, once for server and web. */
export type MessageKey = Exclude<keyof typeof english, '$schema'>

/** English words of a key, with `{name}` places filled in. For the server: the web compiles the same file. */
export function sayEnglish(key: MessageKey, values: Record<string, string | number> = {}): string {
  return english[key].replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** English words of a validation message, which is a key for our own rules and already text for the library's. */
export function sayIssue(message: string): string {
  return isMessageKey(message) ? sayEnglish(message) : message
}

export function isMessageKey(text: string): text is MessageKey {
  return text !== '$schema' && Object.hasOwn(english, text)
}
