import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { answerBrokenRequest } from './broken-request.ts'

async function startServer(t: TestContext, answer: (response: ServerResponse) => void): Promise<Socket> {
  const server = createServer((_request, response) => answer(response))
  server.on('clientError', answerBrokenRequest)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  t.after(() => {
    socket.destroy()
    server.close()
  })
  return socket
}

test('bytes that are no request never get an answer into the middle of another one', async (t) => {
  const socket = await startServer(t, (response) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('a'.repeat(500))
  })
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'readable')
  const all = text(socket)
  socket.write('HELO there\r\n\r\n')
  const [, body] = (await all).split('\r\n\r\n')
  assert.equal(body, 'a'.repeat(500))
})

test('bytes that are no request are answered where nothing was answered yet, and after what was', async (t) => {
  const waiting = await startServer(t, () => {})
  waiting.write('GET / HTTP/1.1\r\nhost: a\r\n\r\nHELO there\r\n\r\n')
  assert.match(await text(waiting), /^HTTP\/1\.1 400 /)
  const answered = await startServer(t, (response) => void response.end('well'))
  answered.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(answered, 'readable')
  const all = text(answered)
  answered.write('HELO there\r\n\r\n')
  assert.match(await all, /^HTTP\/1\.1 200 [^]*\r\n\r\nwellHTTP\/1\.1 400 /)
})
