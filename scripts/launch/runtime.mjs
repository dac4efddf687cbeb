import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { LaunchProblem, inProject } from './project.mjs'

const LOWEST_MAJOR = 24
const PINNED = inProject('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
/** Says that the pinned Node was seen to start; `npm ci` sweeps it away with the rest. */
const STAMP = inProject('node_modules', '.proofdesk-node')

/** @returns {string} path of a Node that runs the product: the pinned one, else this one if it is new enough */
export function findNode() {
  const pinned = existsSync(PINNED)
  if (pinned && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === PINNED) return PINNED
  const trial = pinned ? spawnSync(PINNED, ['--version'], { encoding: 'utf8' }) : undefined
  if (trial?.status === 0) {
    writeStamp()
    return PINNED
  }
  if (Number.parseInt(process.versions.node, 10) >= LOWEST_MAJOR) return process.execPath
  if (trial) throw new LaunchProblem(describeFailedStart(trial))
  throw new LaunchProblem(
    `Proofdesk needs Node.js ${LOWEST_MAJOR} or newer; this is ${process.version}, and none is shipped for ${process.platform} ${process.arch}.`,
  )
}

function writeStamp() {
  try {
    writeFileSync(STAMP, PINNED)
  } catch (error) {
    // A read-only installation is tried anew at each start.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}

/**
 * One line that names what is missing.
 * @param {{ stderr: string | null, error?: Error }} trial
 */
export function describeFailedStart({ stderr, error }) {
  const library = /loading shared libraries: ([^:\s]+)/.exec(stderr ?? '')?.[1]
  if (library) {
    const hint = DEBIAN_PACKAGES[library] ? ` (Debian: apt-get install -y ${DEBIAN_PACKAGES[library]})` : ''
    return `The Node.js that Proofdesk brings along cannot start: the system library ${library} is missing. Install it${hint} and try again.`
  }
  const version = /version `([^']+)' not found/.exec(stderr ?? '')?.[1]
  const reason = version
    ? `the system library is older than ${version}`
    : (error?.message ?? stderr?.trim().split('\n')[0] ?? 'no reason given')
  return `The Node.js that Proofdesk brings along cannot start here: ${reason}. Install Node.js ${LOWEST_MAJOR} or newer and try again.`
}

const DEBIAN_PACKAGES = {
  'libstdc++.so.6': 'libstdc++6',
  'libgcc_s.so.1': 'libgcc-s1',
  'libatomic.so.1': 'libatomic1',
  'libdl.so.2': 'libc6',
  'libpthread.so.0': 'libc6',
}

/**
 * The environment in which everything after the installation runs: the chosen Node and the project's tools come first.
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
export function makeEnvironment(node) {
  const path = [dirname(node), inProject('node_modules', '.bin'), process.env['PATH']].filter(Boolean).join(delimiter)
  // node:sqlite still announces itself as experimental on every start.
  const options = [process.env['NODE_OPTIONS'], '--disable-warning=ExperimentalWarning'].filter(Boolean).join(' ')
  return { ...process.env, PATH: path, NODE_OPTIONS: options }
}
