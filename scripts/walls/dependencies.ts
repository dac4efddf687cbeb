import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem, Rule } from './source-tree.ts'

const REASONS = 'docs/decisions/dependencies.md'
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

/** Every foreign package is pinned exactly and has its reason written down; a reason goes with its package. */
export const checkDependencies: Rule = ({ root, manifests }) => {
  const file = join(root, REASONS)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const reasons = new Set([...text.matchAll(/^- `([^`]+)`[^\n]*\p{L}{3,}/gmu)].map(([, name]) => name ?? ''))
  const problems: Problem[] = []
  const named = new Set<string>()
  for (const { path, dependencies, devDependencies, optionalDependencies } of manifests) {
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      if (name.startsWith('@proofdesk/')) continue
      named.add(name)
      if (!EXACT.test(version)) problems.push({ path, text: `${name} is "${version}": pin it to one exact version.` })
      if (!reasons.has(name))
        problems.push({ path, text: `${name} has no reason: write one line for it in ${REASONS}.` })
    }
  }
  for (const name of reasons) {
    if (!named.has(name)) problems.push({ path: REASONS, text: `${name} is no longer a dependency: remove its line.` })
  }
  return problems
}
