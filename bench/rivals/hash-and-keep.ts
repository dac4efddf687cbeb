// Nothing but keeping a file: hash, write, wait for the disk, one after the other: `node hash-and-keep.ts MS FOLDER FILE`.
// Tells as JSON how often.
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const [lasts, folder = '.', source = ''] = [Number(process.argv[2]), process.argv[3], process.argv[4]]
const bytes = readFileSync(source)
const path = join(folder, `hash-and-keep-${process.pid}`)
const begin = performance.now()
let count = 0
while (performance.now() - begin < lasts) {
  createHash('sha256').update(bytes).digest('hex')
  const file = openSync(path, 'w')
  writeSync(file, bytes)
  fsyncSync(file)
  closeSync(file)
  rmSync(path)
  count += 1
}
const seconds = (performance.now() - begin) / 1000
process.stdout.write(JSON.stringify({ count, seconds }))
