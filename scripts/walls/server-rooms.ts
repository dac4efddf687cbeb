import { listFeatures } from './features.ts'
import type { Import, Problem, Rule, SourceFile } from './source-tree.ts'

const SRC = 'packages/server/src/'

/** The roof joins features; everything else outside features/ is platform and knows none. */
const ROOF = /^packages\/server\/src\/(app\.ts|testing\.ts|start\/|admin\/)/
const OPEN_TO_OTHERS = /\/(service|queries|work|limits|[a-z-]+-cookie)\.ts$/

/** Features stand in ranks, the platform knows none of them, and each is one value that only app.ts takes. */
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
      const text = checkRoom(ranks, file, imported)
      if (text) problems.push({ path: file.path, line: imported.line, text })
    }
  }
  return problems
}

function checkRoom(ranks: string[], file: SourceFile, { target }: Import): string | undefined {
  const [here, there] = [findFeature(file.path), target ? findFeature(target) : undefined]
  if (!target || !there) return undefined
  if (target.endsWith('/feature.ts'))
    return file.path === `${SRC}app.ts` || file.isTest ? undefined : 'only app.ts imports feature.ts.'
  if (target.endsWith('/routes.ts'))
    return file.path === `${SRC}features/${there}/feature.ts`
      ? undefined
      : 'only the feature.ts beside it imports routes.ts.'
  if (there === here || file.isTest) return undefined
  if (!here) {
    return ROOF.test(file.path)
      ? undefined
      : `the platform knows no feature: pass what it needs from app.ts, or move the shared thing below ${there}.`
  }
  if (ranks.indexOf(here) <= ranks.indexOf(there)) {
    return `${here} may not import ${there}, which stands to its right: move the shared thing to the left, or turn the call around through the outbox.`
  }
  return OPEN_TO_OTHERS.test(target)
    ? undefined
    : `of another feature only service.ts, queries.ts, work.ts, limits.ts and cookies may be imported: offer it there.`
}

function findFeature(path: string): string | undefined {
  return /^packages\/server\/src\/features\/([^/]+)\//.exec(path)?.[1]
}
