import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANSWER_MAX_BYTES, readAnswer } from './read-answer.ts'

test('15.29 an answer is read to its end, and of one that is longer than any honest one no more than that', async () => {
  assert.deepEqual(await readAnswer(new Response('abc')), new TextEncoder().encode('abc'))
  assert.deepEqual(await readAnswer(new Response(null)), new Uint8Array(0))
  assert.equal((await readAnswer(new Response(new Uint8Array(ANSWER_MAX_BYTES))))?.length, ANSWER_MAX_BYTES)
  assert.equal(await readAnswer(new Response(new Uint8Array(ANSWER_MAX_BYTES + 1))), undefined)

  let given = 0
  let isCancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 50_000
      controller.enqueue(new Uint8Array(50_000))
    },
    cancel() {
      isCancelled = true
    },
  })
  assert.equal(await readAnswer(new Response(endless)), undefined)
  assert.ok(isCancelled)
  assert.ok(given <= ANSWER_MAX_BYTES + 100_000, String(given))
})

test('what breaks off is no answer', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('broken off'))
    },
  })
  await assert.rejects(readAnswer(new Response(broken)), { message: 'broken off' })
})
