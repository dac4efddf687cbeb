/**
 * Entry of a thread inside each parsing process. A hostile file can keep the parser busy for ever, and the server that would
 * end it at its deadline can be killed: then nobody is left but this thread.
 */
const CHECK_MS = 1000
const parentId = process.ppid

setInterval(() => {
  if (process.ppid !== parentId) process.kill(process.pid, 'SIGKILL')
}, CHECK_MS)
