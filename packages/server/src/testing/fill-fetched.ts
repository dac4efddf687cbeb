/**
 * A process of its own that reads more objects than a small disk holds, and one when something else has filled it. Argument:
 * folder on the small disk. Prints what happened as JSON.
 */
import { createHash } from 'node:crypto'
import { statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { openIncoming } from '../blobs/incoming.ts'
import { openFetchedFiles } from '../blobs/s3/fetched-files.ts'
import { listCopies } from './fetched-copies.ts'
import { waitUntil } from './wait-until.ts'

const FILES = 40
const FILE_BYTES = 100_000
const [root = ''] = process.argv.slice(2)
const folder = join(root, 'fetched')
const makeObject = (number: number) => Buffer.alloc(FILE_BYTES, number)
const files = await openFetchedFiles({
  folder,
  incoming: await openIncoming(root),
  limitBytes: 1 << 30,
  fetch: async (key) => Readable.from([makeObject(Number(key))]),
})

async function readWhole(number: number): Promise<boolean> {
  const bytes = makeObject(number)
  const known = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  const read = await files.read(String(number), { size: bytes.length, tag: 'tag', changedAt: 0 }, known)
  return bytes.equals(read instanceof Readable ? await buffer(read) : read)
}

const countFree = async () => {
  const { bavail, bsize } = await statfs(root)
  return bavail * bsize
}

const whole: boolean[] = []
for (let number = 0; number < FILES; number += 1) {
  whole.push(await readWhole(number))
  // Room is made behind the back of who reads.
  await pause(5)
}
const free = await waitUntil(async () => {
  const bytes = await countFree()
  return bytes >= 1_000_000 && bytes
})
const kept = (await listCopies(root)).length
await writeFile(join(root, 'filler'), Buffer.alloc(free - 8192))
const isWholeOnFullDisk = await readWhole(FILES)
process.stdout.write(JSON.stringify({ whole: whole.filter(Boolean).length, kept, free, isWholeOnFullDisk }))
