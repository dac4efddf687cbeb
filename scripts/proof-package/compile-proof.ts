import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../launch/project.mjs'
import { describeApi } from './describe-api.ts'

const PROOF = join(ROOT, 'packages/proof')
/** Beside the compiled code; nothing else of the folder is published. */
const DOCUMENTS = ['README.md', 'vectors']

interface Manifest {
  version: string
  exports: Record<string, string>
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(PROOF, 'package.json'), 'utf8')) as Manifest
}

/**
 * Writes the package as it is published: what it exports as JavaScript with declarations, since nobody can run TypeScript out of
 * `node_modules`, with its documents, the page of its interface and its vectors.
 * @param folder Is made.
 * @throws Error with the compiler's words.
 */
export function compileProof(folder: string): void {
  const { version, exports } = readManifest()
  const sources = Object.values(exports).map((path) => join(PROOF, path))
  const options = ['--ignoreConfig', '--target', 'es2023', '--module', 'nodenext', '--lib', 'es2025,dom', '--types', '']
  options.push('--rewriteRelativeImportExtensions', '--declaration', '--strict')
  options.push('--rootDir', join(PROOF, 'src'), '--outDir', join(folder, 'dist'))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...sources], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
  mkdirSync(folder, { recursive: true })
  for (const document of DOCUMENTS) cpSync(join(PROOF, document), join(folder, document), { recursive: true })
  writeFileSync(join(folder, 'API.md'), describeApi(folder, exports))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  const published = {
    name: '@proofdesk/proof',
    version,
    description: 'Verifies certified PDFs and the transparency log that they stand in. Depends on nothing.',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=24' },
    sideEffects: false,
    exports: Object.fromEntries(
      Object.entries(exports).map(([name, path]) => {
        const compiled = path.replace('./src/', './dist/').replace(/\.ts$/, '')
        return [name, { types: `${compiled}.d.ts`, default: `${compiled}.js` }]
      }),
    ),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}
