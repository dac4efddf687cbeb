import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const INTRODUCTION = `# What \`@proofdesk/proof\` exports

Written from the declarations and their comments when the package was packed. What holds everywhere stands in README.md.
`

/**
 * The page of the package's interface: each module's declarations as the compiler writes them.
 * @param folder Has the compiled package.
 * @param exports Names of the modules and their sources.
 */
export function describeApi(folder: string, exports: Record<string, string>): string {
  const modules = Object.entries(exports).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [INTRODUCTION, ...modules.map(([name, path]) => describeModule(folder, name, path))].join('\n')
}

function describeModule(folder: string, name: string, path: string): string {
  const file = path.replace('./src/', 'dist/').replace(/\.ts$/, '.d.ts')
  const declarations = readFileSync(join(folder, file), 'utf8')
    .replace(/^import .*\n/gm, '')
    .replace(/^export \{\};\n/gm, '')
    .replace(/^export (declare )?/gm, '')
    .trim()
  return `## \`@proofdesk/proof${name.slice(1)}\`\n\n\`\`\`ts\n${declarations}\n\`\`\`\n`
}
