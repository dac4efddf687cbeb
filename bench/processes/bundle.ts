import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** @returns why none can be made on this machine; undefined where one can. */
export function whyNoBundle(): string | undefined {
  if (process.arch !== 'x64' || process.platform !== 'linux') return 'the bundle: this machine is no Linux on x64'
  const { status } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT })
  return status === 0 ? undefined : 'the bundle: no git, or no commit to make it of'
}

/** Makes the release bundle of the last commit and unpacks it. @throws with the words of what makes it */
export function makeBundle(): { folder: string; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), 'proofdesk-bench-'))
  const remove = () => rmSync(home, { recursive: true, force: true })
  process.once('exit', remove)
  run(process.execPath, [join(ROOT, 'scripts/make-bundle.ts'), home])
  const [archive = ''] = readdirSync(home)
  run('tar', ['--extract', `--file=${join(home, archive)}`, `--directory=${home}`])
  return { folder: join(home, archive.replace(/\.tar\.gz$/, '')), remove }
}

function run(program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.trim()}`)
}
