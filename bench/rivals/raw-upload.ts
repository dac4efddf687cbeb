// Taking a form's one file by hand, over node:http: `node raw-upload.ts PORT FOLDER`. The file is hashed while it comes, and on
// the disk before the answer; nothing looks at it, and no database hears of it.
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'

const [port, folder = ''] = process.argv.slice(2)
const HEADERS_END = '\r\n\r\n'
/** Before the boundary that ends a form, and behind it. */
const BOUNDARY_FRAME = '\r\n--'.length + '--\r\n'.length
/** As the product writes them. */
const WRITTEN_AT_ONCE = 1 << 20
mkdirSync(folder, { recursive: true })
let number = 0

createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1')

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sha256 = await keepFile(request)
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ sha256 }))
}

async function keepFile(request: IncomingMessage): Promise<string> {
  const boundary = /boundary=(\S+)/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
  let left = Number(request.headers['content-length']) - boundary.length - BOUNDARY_FRAME
  let isInFile = false
  const hash = createHash('sha256')
  const path = join(folder, `raw-${process.pid}-${(number += 1)}`)
  const file = await open(`${path}.part`, 'wx')
  let waiting: Buffer[] = []
  let waits = 0
  const write = async () => {
    const pieces = waiting
    ;[waiting, waits] = [[], 0]
    await file.writev(pieces)
  }
  for await (const chunk of request as AsyncIterable<Buffer>) {
    let piece = chunk
    if (!isInFile) {
      // The one part is the file's, and its headers come with the first bytes.
      const begin = piece.indexOf(HEADERS_END) + HEADERS_END.length
      left -= begin
      piece = piece.subarray(begin)
      isInFile = true
    }
    piece = piece.subarray(0, Math.max(0, left))
    left -= piece.length
    hash.update(piece)
    waiting.push(piece)
    waits += piece.length
    if (waits >= WRITTEN_AT_ONCE) await write()
  }
  await write()
  await file.sync()
  await file.close()
  await rename(`${path}.part`, path)
  return hash.digest('hex')
}
