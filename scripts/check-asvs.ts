// Looks at docs/asvs.md: every requirement stands there once with a state, and every file and test it names is there.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { listTests } from './coverage/list-tests.ts'

const DOCUMENT = 'docs/asvs.md'
const REQUIREMENT = /^- \*\*(\d+\.\d+\.\d+)\*\* \(.+?; level [12]\) (.+)$/
const STATES = ['met: ', 'partly met: ', 'not met: ', 'not applicable: ']
/** A test file and the title of one of its tests, without numbers, `…` where a value is put in. */
const TEST = /`([^`\s]+\.(?:test|spec)\.tsx?)`: “([^”]+)”/g
/** What stands in backticks and has the look of a file or folder of the project. */
const FILE = /`((?:packages|docs|scripts|e2e)\/[^`\s]+|[\w.-]+\.(?:md|json|tsx?))`/g

/** @returns one line for each thing that is wrong with the document; none when all is well */
export function checkAsvs(root: string): string[] {
  const path = join(root, DOCUMENT)
  if (!existsSync(path)) return [`${DOCUMENT} is missing.`]
  const tests = listTests(root)
  const tracked = globSync(['packages/*/src/**/*.{ts,tsx}', 'e2e/*.ts'], {
    cwd: root,
    exclude: (found) => found.includes('node_modules'),
  })
  const refused: string[] = []
  const seen = new Set<string>()
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const refuse = (what: string) => refused.push(`${DOCUMENT}:${index + 1}: ${what}`)
    if (line.startsWith('- **')) {
      const [, number = '', rest] = REQUIREMENT.exec(line) ?? []
      if (!STATES.some((state) => rest?.startsWith(state)))
        refuse('is not of the form "number (words; level) state: …".')
      if (seen.has(number)) refuse(`${number} stands already above.`)
      seen.add(number)
    }
    for (const [, file = '', title = ''] of line.matchAll(TEST)) {
      const ofFile = tests.filter((test) => `/${test.path}`.endsWith(`/${file}`))
      if (new Set(ofFile.map(({ path: found }) => found)).size > 1)
        refuse(`"${file}" may be several: write more of the path.`)
      else if (!ofFile.some(({ titles }) => titles.at(-1) === title)) refuse(`no file "${file}" has a test "${title}".`)
    }
    for (const [, file = ''] of line.matchAll(FILE))
      if (!existsSync(join(root, file)) && !tracked.some((other) => `/${other}`.endsWith(`/${file}`)))
        refuse(`there is no "${file}".`)
  }
  // A checker that looks at nothing finds nothing wrong.
  if (seen.size === 0) refused.push(`${DOCUMENT} holds no requirement.`)
  return refused
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  const refused = checkAsvs(resolve(folder ?? dirname(import.meta.dirname)))
  for (const line of refused) console.error(line)
  if (refused.length > 0) process.exitCode = 1
}
