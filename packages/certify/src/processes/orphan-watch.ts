import { workerData } from 'node:worker_threads'

/**
 * Entry of a thread inside each parsing process. A hostile file can keep the parser busy for ever, and the server that would
 * end it at its deadline can be killed: then nobody is left but this thread.
 */
const CHECK_MS = 1000
/** Told by the process: on a busy machine the server may be gone when this thread begins. */
const parentId = workerData as number

setInterval(() => {
  if (process.ppid !== parentId) process.kill(process.pid, 'SIGKILL')
}, CHECK_MS)
