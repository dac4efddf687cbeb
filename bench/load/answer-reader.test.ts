import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeAnswerReader } from './answer-reader.ts'

const WITH_LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nhello'
const IN_CHUNKS = 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
const EMPTY = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'

test('an answer is complete with its last byte and not before, however it is cut', () => {
  for (const [answer, status] of [
    [WITH_LENGTH, 200],
    [IN_CHUNKS, 201],
    [EMPTY, 204],
  ] as const) {
    const reader = makeAnswerReader()
    // The same piece of memory each time, as connections read.
    const memory = Buffer.alloc(1)
    for (const [index, letter] of [...answer].entries()) {
      memory.write(letter, 'latin1')
      const read = reader.read(memory)
      if (index < answer.length - 1) assert.equal(read, undefined, answer.slice(0, index + 1))
      else assert.equal(read?.status, status)
    }
    assert.equal(reader.read(Buffer.from(WITH_LENGTH))?.status, 200)
  }
})

test('a server that closes the connection says so', () => {
  assert.equal(makeAnswerReader().read(Buffer.from(EMPTY))?.closes, true)
  assert.equal(makeAnswerReader().read(Buffer.from(WITH_LENGTH))?.closes, false)
})
