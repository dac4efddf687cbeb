import { HEAVY } from './import-rules.ts'
import type { Problem, Rule, SourceTree } from './source-tree.ts'

/** Doors of certify that run in the server's own thread. */
const DOORS = ['packages/certify/src/pool.ts', 'packages/certify/src/sealing/issuing-keys.ts']

/** PDF and image work never runs on the server's main thread, by no detour either. */
export const checkMainThread: Rule = (tree) => DOORS.flatMap((door) => checkDoor(tree, door))

/** Follows what is loaded with a door, workers and types left out. */
function checkDoor({ files }: SourceTree, door: string): Problem[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const ways = new Map([[door, [door]]])
  const problems: Problem[] = []
  for (const [path, way] of ways) {
    for (const { specifier, target, typeOnly, line } of byPath.get(path)?.imports ?? []) {
      if (typeOnly) continue
      if (HEAVY.includes(specifier)) {
        problems.push({
          path,
          line,
          text: `${specifier} is loaded into the server's main thread by way of ${way.join(' > ')}: load it in the worker only.`,
        })
      }
      if (target && !ways.has(target)) ways.set(target, [...way, target])
    }
  }
  return problems
}
