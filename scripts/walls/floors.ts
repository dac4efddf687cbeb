import { findPackageName, type Import, type Problem, type Rule, type SourceFile } from './source-tree.ts'

interface Floor {
  /** Packages of ours that it may import. */
  ours: string[]
  /** The only foreign packages; undefined where package.json may name any. */
  foreign?: string[]
}

const FLOORS: Record<string, Floor> = {
  'packages/proof': { ours: [], foreign: [] },
  'packages/contract': { ours: ['@proofdesk/proof'], foreign: ['zod'] },
  'packages/verifier': { ours: ['@proofdesk/proof'], foreign: ['qr'] },
  'packages/certify': { ours: ['@proofdesk/proof'] },
  'packages/server': { ours: ['@proofdesk/contract', '@proofdesk/proof', '@proofdesk/certify'] },
  'packages/demo': { ours: ['@proofdesk/contract', '@proofdesk/server', '@proofdesk/certify', '@proofdesk/proof'] },
  'packages/web': { ours: ['@proofdesk/contract', '@proofdesk/proof'] },
}

/** Packages import each other by name, and only what their own package.json names. */
export const checkFloors: Rule = ({ files, manifests }) =>
  files.flatMap((file) => {
    const declared = manifests.find((manifest) => manifest.folder === (file.home === 'scripts' ? '.' : file.home))
    const needed = { ...declared?.dependencies, ...declared?.optionalDependencies }
    const known = file.isTest || !isShipped(file) ? { ...needed, ...declared?.devDependencies } : needed
    return file.imports.flatMap((imported) => {
      const text = checkEscape(file, imported) ?? checkDeclared(file, imported, known)
      return text ? [{ path: file.path, line: imported.line, text }] : []
    })
  })

/** Packages that stand apart name what they need, so a manifest cannot quietly open a wall. */
export const checkFloorManifests: Rule = ({ manifests }) => {
  const problems: Problem[] = []
  for (const { path, folder, dependencies, exports } of manifests) {
    const floor = FLOORS[folder]
    const foreign = Object.keys(dependencies).filter((name) => !name.startsWith('@proofdesk/'))
    for (const name of foreign) {
      if (floor?.foreign && !floor.foreign.includes(name))
        problems.push({
          path,
          text: `${name} may not be a dependency here: ${folder} has ${floor.foreign.join(', ') || 'none'}.`,
        })
    }
    for (const name of Object.keys(dependencies).filter((key) => key.startsWith('@proofdesk/'))) {
      if (floor && !floor.ours.includes(name))
        problems.push({ path, text: `${name} does not lie below ${folder}: ${sayFloor(floor)}.` })
    }
    for (const [door, target] of Object.entries(exports)) {
      if (`${door}${target}`.includes('*'))
        problems.push({
          path,
          text: `exports "${door}" has a wildcard, which opens every file: name each file that others may import.`,
        })
    }
  }
  return problems
}

function checkEscape(file: SourceFile, { specifier, target }: Import): string | undefined {
  if (target === undefined || target.startsWith(`${file.home}/`)) return undefined
  if (file.home === 'e2e' && target.startsWith('scripts/')) return undefined
  if (target.startsWith('packages/contract/messages/') || target.endsWith('.json')) return undefined
  return `${specifier} leaves ${file.home}: import other packages by name, through their exports.`
}

function checkDeclared(file: SourceFile, { specifier }: Import, known: Record<string, string>): string | undefined {
  const name = findPackageName(specifier)
  if (!name || name === `@proofdesk/${file.home.split('/')[1]}` || Object.hasOwn(known, name)) return undefined
  // Types of a package without its own are declared by their own name.
  if (Object.hasOwn(known, `@types/${name.replace(/^@/, '').replace('/', '__')}`)) return undefined
  return `${name} is not among the dependencies of ${file.home}: name it, pinned, in its package.json.`
}

/** Part of what users run, as opposed to configuration and scripts. */
function isShipped(file: SourceFile): boolean {
  return file.path.startsWith(`${file.home}/src/`)
}

function sayFloor({ ours }: Floor): string {
  return ours.length ? `below it lie ${ours.join(', ')}` : 'nothing of ours lies below it'
}
