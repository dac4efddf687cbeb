// Nothing but durable writes, one after the other: `node one-fsync.ts MS FOLDER`. Tells as JSON how many.
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** About what SQLite writes for a small row: a page. */
const RECORD = Buffer.alloc(4096, 'x')

const lasts = Number(process.argv[2])
const path = join(process.argv[3] ?? '.', `one-fsync-${process.pid}`)
const file = openSync(path, 'wx')
const begin = performance.now()
let count = 0
while (performance.now() - begin < lasts) {
  writeSync(file, RECORD)
  fdatasyncSync(file)
  count += 1
}
const seconds = (performance.now() - begin) / 1000
closeSync(file)
rmSync(path)
process.stdout.write(JSON.stringify({ count, seconds }))
