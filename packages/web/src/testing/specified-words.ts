import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const CATALOGUE = resolve(import.meta.dirname, '../../../../docs/specification/8-messages.md')

/** The words in quotes under a number of the specification's catalogue. */
export function readSpecifiedWords(item: string): string {
  const line = readFileSync(CATALOGUE, 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`- ${item} `))
  const words = /'(.+?)'/.exec(line ?? '')?.[1]
  if (words === undefined) throw new Error(`item ${item} quotes nothing`)
  return words
}
