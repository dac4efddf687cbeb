import type { Import, Problem, Rule, SourceFile } from './source-tree.ts'

const SRC = 'packages/web/src/'

/** Web features do not know each other: app/ joins them; ui/ and lib/ know none. */
export const checkWebRooms: Rule = ({ files }) => {
  const problems: Problem[] = []
  for (const file of files.filter(({ path }) => path.startsWith(SRC))) {
    for (const imported of file.imports) {
      const text = checkRoom(file, imported)
      if (text) problems.push({ path: file.path, line: imported.line, text })
    }
  }
  return problems
}

function checkRoom(file: SourceFile, { target }: Import): string | undefined {
  if (!target?.startsWith(SRC)) return undefined
  const [here, there] = [findRoom(file.path), findRoom(target)]
  if (there === 'testing' && !file.isTest) return 'web/src/testing is for tests only.'
  if (file.isTest || here === there) return undefined
  if (there === 'app') return 'app/ is the roof and imported by nobody: move the shared thing into ui/ or lib/.'
  if (!there.startsWith('features/') || here === 'app') return undefined
  if (here.startsWith('features/'))
    return `${here} may not import ${there}: join them on a page in app/, or move the shared thing into ui/ or lib/.`
  return `${here}/ knows no feature: pass what it needs as a prop or an argument.`
}

function findRoom(path: string): string {
  return /^(features\/[^/]+|[^/]+)/.exec(path.slice(SRC.length))?.[1] ?? ''
}
