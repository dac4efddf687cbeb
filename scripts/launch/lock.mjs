import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inProject } from './project.mjs'

const LOCK = inProject('.launch.lock')
const BEAT_MS = 1_000
/** A holder that was killed stops beating. Process ids would not do: containers may share the folder. */
const STALE_MS = 10_000

/**
 * Runs `work` while no other launcher of this folder does; waits for its turn.
 * The lock stands beside node_modules, not in it: `npm ci` empties that folder.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(work) {
  const token = `${process.pid} ${Date.now()} ${Math.random()}`
  for (let waited = false; !take(token); waited = true) {
    if (!waited) console.error('Another start is preparing this folder; waiting for it …')
    removeStale()
    await sleep(200)
  }
  const beat = setInterval(() => utimesSync(LOCK, new Date(), new Date()), BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    rmSync(LOCK, { force: true })
  }
}

function take(token) {
  try {
    writeFileSync(LOCK, token, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function removeStale() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs < STALE_MS) return
    const seen = readFileSync(LOCK, 'utf8')
    const aside = `${LOCK}.${process.pid}`
    renameSync(LOCK, aside)
    // Two waiters may both have judged the old lock; the later one then holds the first one's new lock: give it back.
    if (readFileSync(aside, 'utf8') !== seen) renameSync(aside, LOCK)
    else rmSync(aside, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
