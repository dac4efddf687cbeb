import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startTestServer } from '../testing.ts'

test('21.15 what comes on an open connection while a server closes is answered as ever, and then the connection ends', async (t) => {
  const server = await startTestServer(t)
  const { port } = new URL(await server.listen())
  const body = JSON.stringify({ username: 'nobody', password: 'Wrong1!' })
  const head = `POST /backend/api/v1/auth/login/ HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const socket = connect(Number(port), '127.0.0.1')
  const answers = text(socket)
  const begun = once(server.app.server, 'request')
  socket.write(head + body.slice(0, 5))
  await begun
  const closed = server.app.close()
  // Closing has begun, and waits for the answer to this.
  await new Promise(setImmediate)
  socket.write(`${body.slice(5)}GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n`)
  const told = await answers
  await closed
  const heads = told.match(/HTTP\/1\.1 \d+[^]*?\r\n\r\n/g) ?? []
  assert.deepEqual(
    heads.map((one) => one.slice(9, 12)),
    ['400', '200'],
  )
  for (const one of heads) assert.match(one, /content-security-policy: /i)
  assert.match(heads[1] ?? '', /connection: close/i)
})
