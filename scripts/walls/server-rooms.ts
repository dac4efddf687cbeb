import { listFeatures } from './features.ts'
import type { Import, Problem, Rule, SourceFile } from './source-tree.ts'

const SRC = 'packages/server/src/'

const OPEN_TO_OTHERS = /\/(service|queries|events|work|limits|[a-z-]+-cookie)\.ts$/

/** Features stand in ranks, and show each other only a part of themselves. */
export const checkServerRooms: Rule = (tree) => {
  const ranks = listFeatures(tree).map(({ folder }) => folder)
  const problems: Problem[] = []
  const unranked = new Set<string>()
  for (const file of tree.files.filter(({ path }) => path.startsWith(SRC))) {
    const feature = findFeature(file.path)
    if (feature && !ranks.includes(feature) && !unranked.has(feature)) {
      unranked.add(feature)
      problems.push({ path: file.path, text: `feature "${feature}" has no rank: put it into FEATURES of app.ts.` })
    }
    for (const imported of file.imports) {
      const text = checkRoom(ranks, file, feature, imported)
      if (text) problems.push({ path: file.path, line: imported.line, text })
    }
  }
  return problems
}

function checkRoom(
  ranks: string[],
  file: SourceFile,
  here: string | undefined,
  { target }: Import,
): string | undefined {
  const there = target ? findFeature(target) : undefined
  if (!target || !here || !there || there === here || file.isTest) return undefined
  if (ranks.indexOf(here) <= ranks.indexOf(there)) {
    return `${here} may not import ${there}, which stands to its right: move the shared thing to the left, or turn the call around through the outbox.`
  }
  return OPEN_TO_OTHERS.test(target)
    ? undefined
    : `of another feature only service.ts, queries.ts, events.ts, work.ts, limits.ts and cookies may be imported: offer it there.`
}

function findFeature(path: string): string | undefined {
  return /^packages\/server\/src\/features\/([^/]+)\//.exec(path)?.[1]
}
