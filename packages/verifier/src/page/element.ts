type Child = Node | string | undefined

/** Makes an element with its attributes and what is in it. Text is never read as HTML. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Names and values, one under the other. Values may be of any script, and long. */
export function makeFacts(facts: readonly (readonly [name: string, value: string])[]): HTMLDListElement {
  return make(
    'dl',
    {},
    ...facts.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, make('bdi', {}, value)))),
  )
}

/** Hands a text to the person as a file to keep. */
export function saveText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  make('a', { href: address, download: name }).click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
