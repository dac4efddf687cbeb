import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { LaunchProblem } from './project.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Ctrl-C reaches this process from the terminal and again through npm; what comes this close together is one wish. */
const ONE_WISH_MS = 1_000

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let lastSignalAt = 0

/**
 * Runs a program in this terminal until it ends.
 * It gets a session of its own, so that a signal reaches it once, from here, however many senders there were;
 * a second Ctrl-C later is passed on too. If this process is killed outright, the program is told to end.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>} its exit code, or 128 + n for signal n
 */
export function runChild(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', detached: true, ...options })
    child.once('error', (error) => {
      stopListening(child)
      reject(
        new LaunchProblem(
          `${file} cannot be started: ${error.code === 'ENOENT' ? 'it is not installed' : error.message}.`,
        ),
      )
    })
    if (child.pid === undefined) return
    startListening(child)
    const guard = startGuard(child.pid)
    child.once('exit', (code, signal) => {
      guard.kill('SIGKILL')
      stopListening(child)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/** Asks every running program to end. */
export function stopChildren(signal = 'SIGTERM') {
  for (const child of running) child.kill(signal)
}

/** A shell that sees the end of its input only when this process is gone, and then ends `pid`. */
function startGuard(pid) {
  const script = 'read -r _; kill -TERM "$1" 2>/dev/null'
  const guard = spawn('sh', ['-c', script, 'guard', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.once('error', () => {})
  guard.stdin.once('error', () => {})
  guard.unref()
  guard.stdin.unref()
  return guard
}

function startListening(child) {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, forward)
  running.add(child)
}

function stopListening(child) {
  running.delete(child)
  if (running.size === 0) for (const signal of SIGNALS) process.off(signal, forward)
}

function forward(signal) {
  const now = Date.now()
  if (now - lastSignalAt < ONE_WISH_MS) return
  lastSignalAt = now
  stopChildren(signal)
}
