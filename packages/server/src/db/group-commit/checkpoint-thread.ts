// Moves commits out of SQLite's log into the database, for `checkpoints.ts`: at each message once, without making anybody wait.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const db = new DatabaseSync(workerData as string)
// As on the connection that writes: the log is on the disk before anything of it is moved, and the database before the log begins anew.
db.exec('pragma synchronous = normal')
const move = db.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', () => {
  try {
    move.get()
  } catch {
    // Nothing is lost with it: what was not moved stays in the log, and SQLite tries by itself once that is long.
  }
  parentPort?.postMessage(null)
})
