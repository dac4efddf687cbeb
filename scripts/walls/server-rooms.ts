import type { Import, Problem, Rule, SourceFile } from './source-tree.ts'

const SRC = 'packages/server/src/'

/** A feature may import only features to its left. */
export const RANKS = [
  'users',
  'sessions',
  'two-factor',
  'auth',
  'provider-login',
  'account',
  'directory',
  'events',
  'notifications',
  'collections',
  'contents',
  'comments',
  'certificates',
  'reviews',
  'tickets',
  'mail-delivery',
]

/** The roof joins features; everything else outside features/ is platform and knows none. */
const ROOF = /^packages\/server\/src\/(app\.ts|testing\.ts|start\/|admin\/|demo\/)/
const OPEN_TO_OTHERS = /\/(service|queries|[a-z-]+-cookie)\.ts$/

/** Features stand in ranks, the platform knows none of them, and only app.ts knows their routes. */
export const checkServerRooms: Rule = ({ files }) => {
  const problems: Problem[] = []
  for (const file of files.filter(({ path }) => path.startsWith(SRC))) {
    const feature = findFeature(file.path)
    if (feature && !RANKS.includes(feature)) {
      problems.push({
        path: file.path,
        text: `feature "${feature}" has no rank: put it into RANKS of scripts/walls/server-rooms.ts.`,
      })
    }
    for (const imported of file.imports) {
      const text = checkRoom(file, feature, imported)
      if (text) problems.push({ path: file.path, line: imported.line, text })
    }
  }
  return problems
}

function checkRoom(file: SourceFile, here: string | undefined, { target }: Import): string | undefined {
  const there = target ? findFeature(target) : undefined
  if (!target || !there || there === here) return undefined
  if (target.endsWith('/routes.ts')) return file.path === `${SRC}app.ts` ? undefined : 'only app.ts imports routes.ts.'
  if (file.isTest) return undefined
  if (!here) {
    return ROOF.test(file.path)
      ? undefined
      : `the platform knows no feature: pass what it needs from app.ts, or move the shared thing below ${there}.`
  }
  if (RANKS.indexOf(here) <= RANKS.indexOf(there)) {
    return `${here} may not import ${there}, which stands to its right: move the shared thing to the left, or turn the call around through the outbox.`
  }
  return OPEN_TO_OTHERS.test(target)
    ? undefined
    : `of another feature only service.ts, queries.ts and cookies may be imported: offer it there.`
}

function findFeature(path: string): string | undefined {
  return /^packages\/server\/src\/features\/([^/]+)\//.exec(path)?.[1]
}
