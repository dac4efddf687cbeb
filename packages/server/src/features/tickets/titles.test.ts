import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../../testing.ts'

test('9.36 a ticket’s title is one line without control characters and direction marks', async (t) => {
  const server = await startTestServer(t)
  const ada = await server.signIn('ada')
  const marks = ['\n', '\r\n', '\t', '\u001b[31m', '\u0085', '\u2028', '\u200e', '\u200f', '\u061c', '\u202e', '\u2066']
  for (const mark of marks) {
    const answer = await ada.post('/ticket/', { title: `Lost${mark}seal` })
    assert.equal(answer.status, 400, JSON.stringify(mark))
    assert.deepEqual(answer.json().title, ['Please write one line, without control characters and direction marks.'])
  }
  // What people write in their scripts stays: joiners, combining marks, pictures.
  for (const title of ['می\u200cخواهم مُهر', 'क्\u200dष', 'Sceau perdu 🏳️\u200d🌈', ' Lost seal \n'])
    assert.equal((await ada.post('/ticket/', { title })).json().title, title.trim())
})
