import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Writes files for node:test that each run several test files in one process: what every one of them needs is then loaded
 * and started once. Their tests still run one after the other, each as its file alone would run it.
 * @param files relative to the project
 * @param sizes most files of a process, and how many processes run at once
 * @param folder where the written files go
 * @returns paths of the written files
 */
export function groupFiles(
  root: string,
  files: readonly string[],
  { perProcess, atOnce }: { perProcess: number; atOnce: number },
  folder: string,
): string[] {
  mkdirSync(folder, { recursive: true })
  // As many turns for each of those that run at once: in the last one none is left to run by itself.
  const count = Math.min(files.length, Math.ceil(files.length / perProcess / atOnce) * atOnce)
  return Array.from({ length: count }, (_, index) => {
    // Neighbours take alike long, so they go to different processes.
    const members = files.filter((_file, at) => at % count === index)
    const path = join(folder, `group-${index + 1}.test.mjs`)
    writeFileSync(path, writeGroup(members.map((file) => ({ file, url: pathToFileURL(join(root, file)).href }))))
    return path
  })
}

/**
 * All are loaded before the first test begins, so that loading delays none; no file may wait for a test of its own while it
 * is loaded. One that cannot be loaded is a failed test, and does not keep the others from running.
 */
function writeGroup(members: { file: string; url: string }[]): string {
  return `import { before, test } from 'node:test'

const { promise: loaded, resolve } = Promise.withResolvers()
before(() => loaded)
for (const { file, url } of ${JSON.stringify(members)})
  await import(url).catch((error) => void test(file + ' can be loaded', () => { throw error }))
resolve()
`
}
