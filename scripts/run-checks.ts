// `npm run check`: types, lint, format, walls and the tests of the specification. All of them run, also when one has failed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Check {
  name: string
  /** For Node; the first is a file relative to the project. */
  args: [string, ...string[]]
}

const root = dirname(import.meta.dirname)

/** The web's message functions are generated, and its types need them. */
const WORDS: Check = {
  name: 'words',
  args: [
    'node_modules/@inlang/paraglide-js/bin/run.js',
    'compile',
    '--project=packages/web/project.inlang',
    '--outdir=packages/web/src/paraglide',
    '--silent',
  ],
}

const CHECKS: Check[] = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'] },
  { name: 'types of web', args: ['node_modules/typescript/bin/tsc', '-p', 'packages/web/tsconfig.json'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
  { name: 'walls', args: ['scripts/check-walls.ts'] },
  { name: 'specification', args: ['scripts/write-coverage.ts', '--check'] },
  { name: 'ASVS', args: ['scripts/check-asvs.ts'] },
]

process.exitCode = (await runChecks()) ? 0 : 1

async function runChecks(): Promise<boolean> {
  const words = existsSync(join(root, 'packages/web/project.inlang')) ? [await runCheck(WORDS)] : []
  const results = [...words, ...(await Promise.all(CHECKS.map(runCheck)))]
  const failed = results.filter((result) => !result.passed).map((result) => result.name)
  console.log(failed.length ? `\nRefused by: ${failed.join(', ')}.` : '\nAll checks passed.')
  return failed.length === 0
}

/** Output is kept until the check ends, so that checks side by side do not mix their lines. */
async function runCheck({ name, args: [file, ...args] }: Check): Promise<{ name: string; passed: boolean }> {
  const started = performance.now()
  const child = spawn(process.execPath, [join(root, file), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject).once('close', resolve)
  const passed = (await promise) === 0
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (!passed) console.log(`\n${Buffer.concat(output).toString().trim()}`)
  console.log(`${passed ? 'passed ' : 'REFUSED'} ${name} (${seconds} s)`)
  return { name, passed }
}
