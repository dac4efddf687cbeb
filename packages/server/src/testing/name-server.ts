import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** DNS numbers (RFC 1035 section 3.2 and 4.1.1). */
const TXT = 16
const IN = 1
const CODES = { found: 0, failed: 2, unknown: 3 }
/** Response, authoritative. */
const FLAGS = 0x8400
const STRING_BYTES = 255

export interface TestNameServer {
  /** As `Resolver.setServers` takes it. */
  address: string
  /** TXT records by name; `failed` answers that the server could not find out, `silent` nothing. */
  texts: Record<string, readonly string[] | 'failed' | 'silent'>
  /** Names that were asked for. */
  asked: string[]
}

/** What `node:test` and other runners give a test to register its end with. */
interface TestContext {
  after(end: () => Promise<void>): unknown
}

/** A real name server for TXT records, at a port of the loopback address. */
export async function startNameServer(t: TestContext, texts: TestNameServer['texts'] = {}): Promise<TestNameServer> {
  const socket = createSocket('udp4')
  const server: TestNameServer = { address: '', texts, asked: [] }
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query, 12)
    server.asked.push(name)
    const records = server.texts[name]
    if (records === 'silent') return
    socket.send(writeAnswer(query, end + 4, records), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server.address = `127.0.0.1:${socket.address().port}`
  t.after(async () => {
    socket.close()
    await once(socket, 'close')
  })
  return server
}

function readName(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** @param questionEnd Where the one question ends. */
function writeAnswer(query: Buffer, questionEnd: number, records: readonly string[] | 'failed' | undefined): Buffer {
  const code = records === 'failed' ? CODES.failed : records ? CODES.found : CODES.unknown
  const found = Array.isArray(records) ? (records as string[]) : []
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(FLAGS | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(found.length, 6)
  return Buffer.concat([head, query.subarray(12, questionEnd), ...found.map(writeText)])
}

function writeText(text: string): Buffer {
  const strings = (text.match(RegExp(`[^]{1,${STRING_BYTES}}`, 'g')) ?? ['']).map((one) =>
    Buffer.concat([Buffer.from([one.length]), Buffer.from(one, 'latin1')]),
  )
  const data = Buffer.concat(strings)
  const head = Buffer.alloc(12)
  // The name is that of the question, which begins at byte 12.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(IN, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
