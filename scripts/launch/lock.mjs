import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inProject } from './project.mjs'

/** It stands beside node_modules, not in it: `npm ci` empties that folder. */
const LOCK = inProject('.launch.lock')
const BEAT_MS = 1_000
/** A holder that was killed stops beating. Process ids would not do: containers may share the folder. */
const STALE_MS = 10_000

/**
 * Runs `work` while no other launcher of this folder does; waits for its turn.
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [lock] path of the lock file
 * @returns {Promise<T>}
 */
export async function withLock(work, lock = LOCK) {
  const token = `${process.pid} ${Date.now()} ${Math.random()}`
  for (let waited = false; !take(lock, token); waited = true) {
    if (!waited) console.error('Another start is preparing this folder; waiting for it …')
    removeStale(lock)
    await sleep(200)
  }
  const beating = setInterval(() => beat(lock), BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beating)
    rmSync(lock, { force: true })
  }
}

function take(lock, token) {
  try {
    writeFileSync(lock, token, { flag: 'wx' })
    beat(lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** By the clock that the beats are judged by: that of a shared folder's disk may be another. */
function beat(lock) {
  utimesSync(lock, new Date(), new Date())
}

function removeStale(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs < STALE_MS) return
    const seen = readFileSync(lock, 'utf8')
    const aside = `${lock}.${process.pid}`
    renameSync(lock, aside)
    // Two waiters may both have judged the old lock; the later one then holds the first one's new lock: give it back.
    if (readFileSync(aside, 'utf8') !== seen) renameSync(aside, lock)
    else rmSync(aside, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
