import type { TestFile, Test } from './list-tests.ts'
import type { NamedTest } from './read-items.ts'

/**
 * Finds the test an item names.
 * @returns the test under the title the item gives it, or why there is none
 */
export function findTest(files: readonly TestFile[], { file, title }: NamedTest): Test | string {
  const [found, other] = files.filter(({ path }) => `/${path}`.endsWith(`/${file}`))
  if (!found) return `there is no test file "${file}"`
  if (other) return `"${file}" may be ${found.path} or ${other.path}: write more of the path`
  const test = found.tests.find(({ pattern }) => fits(pattern, title, found.texts))
  if (!test) return `${found.path} has no test "${title}"`
  return { ...test, titles: [...test.titles.slice(0, -1), title] }
}

/** Stands for a value that is worked out when the test runs. */
const ANY_VALUE = '…'

/** Values put into a title are texts of the file, so that a row taken out of a table is missed. */
function fits(pattern: RegExp, title: string, texts: ReadonlySet<string>): boolean {
  const match = pattern.exec(title)
  return (
    match !== null && match.slice(1).every((value) => value === undefined || value === ANY_VALUE || texts.has(value))
  )
}
