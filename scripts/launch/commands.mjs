import { LaunchProblem, ROOT, inProject } from './project.mjs'
import { runChild, stopChildren } from './run.mjs'
import { makeEnvironment } from './runtime.mjs'
import { ensureWebBuilt } from './web-build.mjs'

const SERVER = inProject('packages', 'server', 'src', 'start', 'main.ts')
const ADMIN = inProject('packages', 'server', 'src', 'admin', 'main.ts')
const DEMO = inProject('packages', 'demo', 'src', 'main.ts')
const VERIFY = inProject('packages', 'verifier', 'src', 'cli', 'main.ts')
const HAMMER = inProject('packages', 'server', 'src', 'testing', 'hammer', 'main.ts')
const BENCH = inProject('bench', 'main.ts')
const VITE = inProject('node_modules', 'vite', 'bin', 'vite.js')
const OXFMT = inProject('node_modules', 'oxfmt', 'bin', 'oxfmt')

/** Web and API on one port. @returns {Promise<number>} exit code, as of every command here */
export async function runStart(node, args) {
  await ensureWebBuilt(node)
  return runServer(node, args, makeEnvironment(node))
}

async function runServer(node, args, env) {
  return runChild(node, [SERVER, ...args], { cwd: ROOT, env })
}

/** What `npm start` would build, for an image or a folder that is only read later. */
export async function runBuild(node, args) {
  if (args.length) throw new LaunchProblem('npm run build takes no arguments.')
  await ensureWebBuilt(node)
  return 0
}

/** The server restarts and the pages reload on every change; the pages come from Vite, which passes calls on. */
export async function runDev(node, args) {
  if (args.length) throw new LaunchProblem('npm run dev takes no arguments.')
  const address = 'http://127.0.0.1:5173'
  const env = { PORT: '8000', PUBLIC_URL: address, ...makeEnvironment(node) }
  const both = [
    runChild(node, ['--watch', '--watch-preserve-output', SERVER], { cwd: ROOT, env }),
    runChild(node, [VITE, inProject('packages', 'web'), '--host', '127.0.0.1', '--port', '5173', '--strictPort'], {
      cwd: ROOT,
      env,
    }),
  ]
  const first = await Promise.race(both)
  stopChildren()
  await Promise.all(both)
  return first
}

export async function runAdmin(node, args) {
  return runChild(node, [ADMIN, ...args], { cwd: ROOT, env: makeEnvironment(node) })
}

/** Fills an empty instance and then serves it. Its people have made-up addresses: mails become files, whatever the settings say. */
export async function runDemo(node, args, ensureBuilt = ensureWebBuilt) {
  const isOver = ['--fill-only', '--help', '-h'].some((word) => args.includes(word))
  if (!isOver) await ensureBuilt(node)
  const env = makeEnvironment(node)
  for (const name of ['SMTP_URL', 'SMTP_URL_FILE']) delete env[name]
  const exitCode = await runChild(node, [DEMO, ...args], { cwd: ROOT, env })
  return exitCode !== 0 || isOver ? exitCode : runServer(node, [], env)
}

/** Files are named from where the person stands, which npm leaves. @param {string[]} args see `--help` */
export async function runVerify(node, args) {
  const cwd = process.env['INIT_CWD'] ?? process.cwd()
  return runChild(node, [VERIFY, ...args], { cwd, env: makeEnvironment(node) })
}

/** @param {string[]} args see `--help` */
export async function runBench(node, args) {
  return runChild(node, [BENCH, ...args], { cwd: ROOT, env: makeEnvironment(node) })
}

export async function runTest(node, args) {
  return runChild(node, [inProject('scripts', 'run-tests.ts'), ...args], { cwd: ROOT, env: makeEnvironment(node) })
}

/** @param {string[]} args stages or paths; everything when there are none */
export async function runTestAnyDay(node, args) {
  return runChild(node, [inProject('scripts', 'test-any-day.ts'), ...args], { cwd: ROOT, env: makeEnvironment(node) })
}

/** @param {string[]} args files or folders, `--sample N`; all that is tried when there are none */
export async function runMutate(node, args) {
  return runChild(node, [inProject('scripts', 'mutate.ts'), ...args], { cwd: ROOT, env: makeEnvironment(node) })
}

/** @param {string[]} args see the file */
export async function runPrints(node, args) {
  return runChild(node, [inProject('scripts', 'prints.ts'), ...args], { cwd: ROOT, env: makeEnvironment(node) })
}

/** Reports are named from where the person stands. @param {string[]} args see `--help` */
export async function runHammer(node, args) {
  const cwd = process.env['INIT_CWD'] ?? process.cwd()
  return runChild(node, [HAMMER, ...args], { cwd, env: makeEnvironment(node) })
}

export async function runCheck(node, args) {
  return runChild(node, [inProject('scripts', 'run-checks.ts'), ...args], { cwd: ROOT, env: makeEnvironment(node) })
}

/** @param {string[]} args paths; everything when there are none */
export async function runFormat(node, args) {
  return runChild(node, [OXFMT, ...(args.length ? args : ['.'])], { cwd: ROOT, env: makeEnvironment(node) })
}
