import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { ClamdAddress } from '../config/clamd-address.ts'
import { openLogger } from '../logger.ts'
import { EICAR, EICAR_SIGNATURE, startClamd } from '../testing/clamd.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { readVersion } from './answers.ts'
import { openScanner } from './scanner.ts'

const MB = 1024 * 1024
/** Longer than anything takes here. */
const PATIENCE_MS = 60_000
const NEVER = new AbortController().signal

async function makeFile(t: TestContext, bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-scan-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  return path
}

/** Says what no clamd would. @param serve Gets each connection; `isWhole` tells whether a whole file has come. */
async function startLiar(t: TestContext, serve: (socket: Socket, isWhole: () => boolean) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let end = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      end = Buffer.concat([end, bytes]).subarray(-4)
    })
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    serve(socket, () => end.length === 4 && end.readUInt32BE() === 0)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port }, sockets }
}

/** `failed` is aborted by the first line that goes into the log. */
function openQuietScanner(address: ClamdAddress) {
  const lines: string[] = []
  const failed = new AbortController()
  const logger = openLogger('debug', (line) => {
    lines.push(line)
    failed.abort()
  })
  return { lines, failed: failed.signal, scanner: openScanner(address, logger, PATIENCE_MS) }
}

test('20.10 an answer that is cut off, unknown, or older than the end of the file is no verdict', async (t) => {
  const path = await makeFile(t, Buffer.alloc(3 * MB, 'a'))
  const sayAtEnd = (answer: string) => (socket: Socket, isWhole: () => boolean) =>
    socket.on('data', () => {
      if (isWhole()) socket.end(answer)
    })
  for (const [what, serve] of [
    ['nothing', sayAtEnd('')],
    ['half an answer', sayAtEnd('stream: O')],
    ['an answer without its end', sayAtEnd('stream: OK')],
    ['an answer that stands in another', sayAtEnd('error, not stream: OK\0')],
    ['a find without a name', sayAtEnd('stream: FOUND\0')],
    ['two lines', sayAtEnd('stream: a\nb FOUND\0')],
    ['what another program says', sayAtEnd('HTTP/1.1 200 OK\r\n\r\nstream: OK\0')],
    ['an error', sayAtEnd('stream: Can’t allocate memory ERROR\0')],
    ['an answer that never ends', sayAtEnd('x'.repeat(MB))],
    ['a pass before the file', (socket: Socket) => socket.once('data', () => socket.write('stream: OK\0'))],
    ['a pass in the middle of the file', (socket: Socket) => void socket.write('stream: OK\0')],
    ['hanging up at once', (socket: Socket) => socket.destroy()],
  ] as const) {
    const { address } = await startLiar(t, serve)
    const { scanner, lines, failed } = openQuietScanner(address)
    await assert.rejects(
      scanner.scan(path, 'ada', failed),
      { code: 'scanner_unavailable', retryAfterSeconds: 30 },
      what,
    )
    assert.match(lines.join(''), /^[^\n]*the virus scanner gave no verdict[^\n]*\n$/, what)
  }
})

test('20.10 what the scanner says goes into the log in printable letters alone', async (t) => {
  const path = await makeFile(t, EICAR)
  const { address } = await startLiar(t, (socket) => socket.end('a\n\u001b[2Jb\0'))
  const { scanner, lines, failed } = openQuietScanner(address)
  await assert.rejects(scanner.scan(path, 'ada', failed))
  assert.match(lines[0] ?? '', /clamd answered: a\?\?\[2Jb/)
})

test('20.15 a file of ours that cannot be read is no failure of the scanner, and nobody waits for one', async (t) => {
  const path = await makeFile(t, EICAR)
  await rm(path)
  const { address } = await startLiar(t, () => {})
  const { scanner, lines } = openQuietScanner(address)
  await assert.rejects(scanner.scan(path, 'ada', AbortSignal.timeout(10_000)), { code: 'storage_unavailable' })
  assert.deepEqual(lines, [])
})

test('20.15 that nobody waits for a verdict any more is no failure of the scanner', async (t) => {
  const path = await makeFile(t, EICAR)
  const enough = new AbortController()
  const { address } = await startLiar(t, () => enough.abort())
  const { scanner, lines } = openQuietScanner(address)
  await assert.rejects(scanner.scan(path, 'ada', enough.signal), { code: 'scanner_unavailable' })
  assert.deepEqual(lines, [])
})

test('20.9 that a file is too long is heard however the connection ends, time and again', async (t) => {
  const clamd = await startClamd(t, 'StreamMaxLength 2M')
  if (!clamd) return
  const path = await makeFile(t, Buffer.alloc(8 * MB, 'a'))
  for (const address of [clamd.address, clamd.socket]) {
    const { scanner } = openQuietScanner(address)
    for (let round = 0; round < 25; round += 1)
      assert.deepEqual(await scanner.scan(path, 'ada', NEVER), { found: 'not-whole', limit: 'StreamMaxLength' })
  }
})

test('20.11 files are scanned four at once, people take turns, and beyond a hundred the rest is sent away', async (t) => {
  const clamd = await startClamd(t)
  if (!clamd) return
  const path = await makeFile(t, EICAR)
  const { address, sockets } = await startLiar(t, () => {})
  const { scanner } = openQuietScanner(address)
  const given = new AbortController()
  const scan = (who: string) => scanner.scan(path, who, given.signal).catch((error: { code: string }) => error.code)
  const waiting = Array.from({ length: 104 }, () => scan('ada'))
  await waitUntil(() => sockets.size === 4)
  assert.equal(await scan('ada'), 'busy')
  assert.equal(sockets.size, 4)
  // One of hers makes room for somebody who has none.
  const eve = scan('eve')
  assert.equal(await Promise.race(waiting), 'busy')
  given.abort()
  assert.equal(await eve, 'scanner_unavailable')
  const ends = await Promise.all(waiting)
  assert.deepEqual([ends.filter((end) => end === 'busy').length, ends.length], [1, 104])
  // All turns are free again.
  const again = openQuietScanner(clamd.address).scanner
  const verdicts = await Promise.all(Array.from({ length: 30 }, () => again.scan(path, 'ada', NEVER)))
  assert.ok(verdicts.every((verdict) => verdict.found === true && verdict.signature === EICAR_SIGNATURE))
})

test('20.11 a turn of somebody who no longer waits goes on to the next', async (t) => {
  const path = await makeFile(t, EICAR)
  let isSilent = true
  const { address, sockets } = await startLiar(t, (socket, isWhole) =>
    socket.on('data', () => {
      if (!isSilent && isWhole()) socket.end('stream: Some.Thing FOUND\0')
    }),
  )
  const { scanner } = openQuietScanner(address)
  const gone = new AbortController()
  const givenUp = Array.from({ length: 8 }, () => scanner.scan(path, 'ada', gone.signal))
  await waitUntil(() => sockets.size === 4)
  isSilent = false
  const stays = scanner.scan(path, 'eve', NEVER)
  gone.abort()
  for (const end of await Promise.allSettled(givenUp)) assert.equal(end.status, 'rejected')
  assert.deepEqual(await stays, { found: true, signature: 'Some.Thing' })
  for (let round = 0; round < 6; round += 1) assert.equal((await scanner.scan(path, 'ada', NEVER)).found, true)
})

test('20.12 a version is read with the day of the signatures, and without', () => {
  assert.deepEqual(readVersion('ClamAV 1.4.6/27500/Mon Nov 23 09:12:00 2026'), {
    version: 'ClamAV 1.4.6',
    signaturesAt: Date.UTC(2026, 10, 23, 9, 12),
  })
  assert.deepEqual(readVersion('ClamAV 0.103.10+dfsg'), { version: 'ClamAV 0.103.10+dfsg', signaturesAt: undefined })
  for (const wrong of ['', 'PONG', 'ClamAV', 'ClamAV <b>/1/x']) assert.throws(() => readVersion(wrong))
})
