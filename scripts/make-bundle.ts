// Makes one archive that runs without npm: node scripts/make-bundle.ts [--arch x64|arm64] [FOLDER]
// It holds the product as committed and bundled, its packages by the lock, the built pages, the pinned Node and a list of all packages (CycloneDX).
// Two makings of one commit give the same bytes. Needs git, npm, GNU tar and gzip.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ADMIN, SERVER } from './programs/bundle-programs.ts'
import { findReleased, PARSING_PLACE, writeReleasePrograms } from './programs/release-programs.ts'

const PACKAGES = ['proof', 'contract', 'certify', 'server']
const BUILT = ['packages/web/dist', 'packages/verifier/dist']
const FROM_LOCK = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
const SERVER_ALONE = ['--omit=dev', '--workspace=@proofdesk/server', '--include-workspace-root']

const root = dirname(import.meta.dirname)
const { values, positionals } = parseArgs({
  options: { arch: { type: 'string', default: 'x64' } },
  allowPositionals: true,
})
const { arch } = values
if (arch !== 'x64' && arch !== 'arm64') throw new Error('--arch is x64 or arm64.')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const commit = ask('git', ['rev-parse', 'HEAD'], root).trim()
const commitTime = Number(ask('git', ['show', '--no-patch', '--format=%ct', commit], root))
const name = `proofdesk-${version}-linux-${arch}`
const scratch = mkdtempSync(join(tmpdir(), 'proofdesk-bundle-'))
try {
  const source = join(scratch, 'source')
  const bundle = join(scratch, name)
  takeSource(source)
  run('npm', ['ci', ...FROM_LOCK], source)
  run('npm', ['run', '--silent', 'build'], source)
  putTogether(source, bundle)
  await writeReleasePrograms(source, bundle)
  const archive = join(resolve(positionals[0] ?? '.'), `${name}.tar.gz`)
  pack(archive)
  console.log(`${createHash('sha256').update(readFileSync(archive)).digest('hex')}  ${archive}`)
} finally {
  rmSync(scratch, { recursive: true })
}

/** What is committed and nothing else. */
function takeSource(folder: string): void {
  const archive = join(scratch, 'source.tar')
  run('git', ['archive', `--output=${archive}`, commit], root)
  mkdirSync(folder)
  run('tar', ['--extract', `--file=${archive}`], folder)
}

function putTogether(source: string, bundle: string): void {
  const take = (path: string, filter?: (path: string) => boolean) =>
    cpSync(join(source, path), join(bundle, path), { recursive: true, ...(filter && { filter }) })
  for (const path of ['package.json', 'package-lock.json', 'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md'])
    take(path)
  for (const path of ['docs', 'deploy', ...BUILT]) take(path)
  for (const path of PACKAGES) take(`packages/${path}`, (file) => !/\.test\.ts$|\/node_modules$/.test(file))
  run('npm', ['ci', ...SERVER_ALONE, ...FROM_LOCK, '--os=linux', `--cpu=${arch}`, '--libc=glibc'], bundle)
  for (const part of ['include', 'share']) {
    rmSync(join(bundle, `node_modules/node-linux-${arch}`, part), { recursive: true, force: true })
  }
  writeFileSync(join(bundle, 'sbom.cdx.json'), listPackages(bundle))
  writeFileSync(join(bundle, 'proofdesk'), writeStarter(), { mode: 0o755 })
}

/** Of every platform, as the lock has them. What would differ from one making to the next is taken from the commit. */
function listPackages(bundle: string): string {
  const words = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', ...SERVER_ALONE, '--loglevel=error']
  const list = JSON.parse(ask('npm', words, bundle))
  // An optional package of the project itself, which npm leaves out beside a workspace.
  const node = `node-linux-${arch}`
  const { version: nodeVersion } = JSON.parse(readFileSync(join(bundle, 'node_modules', node, 'package.json'), 'utf8'))
  const reference = `${node}@${nodeVersion}`
  const purl = `pkg:npm/${reference}`
  list.components.push({ 'bom-ref': reference, type: 'application', name: node, version: nodeVersion, purl })
  const hex = createHash('sha256').update(commit).digest('hex')
  // The form of a random UUID, RFC 9562, section 5.4.
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  list.serialNumber = `urn:uuid:${parts.join('-')}`
  list.metadata.timestamp = new Date(commitTime * 1000).toISOString()
  return `${JSON.stringify(list, null, 2)}\n`
}

function writeStarter(): string {
  return `#!/bin/sh
# ./proofdesk serves; ./proofdesk admin --help lists the commands. Settings are environment variables: README.md.
here=$(dirname "$(readlink -f "$0")")
export NODE_OPTIONS="\${NODE_OPTIONS:+$NODE_OPTIONS }--disable-warning=ExperimentalWarning"
export ${PARSING_PLACE.setting}="$here/${PARSING_PLACE.path}"
node="$here/node_modules/node-linux-${arch}/bin/node"
if [ "$1" = admin ]; then
  shift
  exec "$node" "$here/${findReleased(ADMIN)}" "$@"
fi
exec "$node" "$here/${findReleased(SERVER)}" "$@"
`
}

/** Sorted, with one time and no owner, so that nothing of this machine is in it. */
function pack(archive: string): void {
  const tar = join(scratch, 'bundle.tar')
  const plain = ['--format=gnu', '--sort=name', `--mtime=@${commitTime}`, '--owner=0', '--group=0', '--numeric-owner']
  run('tar', ['--create', `--file=${tar}`, ...plain, '--mode=u=rwX,go=rX', name], scratch)
  run('gzip', ['--no-name', '--best', tar], scratch)
  mkdirSync(dirname(archive), { recursive: true })
  cpSync(`${tar}.gz`, archive)
}

function run(program: string, args: string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, LC_ALL: 'C' } })
}

function ask(program: string, args: string[], cwd: string): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
