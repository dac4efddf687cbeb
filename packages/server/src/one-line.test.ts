import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addFile, must, openCollection } from './testing/collections.ts'
import { makePng } from './testing/small-files.ts'
import { startTestServer, TEST_PASSWORD, type TestAnswer } from './testing.ts'

const SAID = [
  'Please write one line, without control characters and direction marks. Pasted text may hold some unseen: type it instead.',
]
/** Line ends, an escape sequence, and what has the rest of a line read in another order. */
const MARKS = ['\n', '\r\n', '\t', '\u001b[31m', '\u0085', '\u2028', '\u202a', '\u202e', '\u2066', '\u2069']
/** What people write in their scripts: joiners, combining marks, pictures, marks that turn only what has no direction. */
const HONEST = ['می\u200cخواهم', 'क्\u200dष', 'Sceau 🏳️\u200d🌈', 'שלום (א)\u200f', 'C++\u200e ג', '\u061cعقد']

test('9.36 titles and names are one line without control characters and direction overrides', async (t) => {
  const server = await startTestServer(t)
  const ada = await server.signIn('ada')
  const collection = await openCollection(ada)
  const file = await addFile(ada, collection)
  const account = { email: 'grace@example.org', username: 'grace', password: TEST_PASSWORD, phone_number: '112' }
  const sendFile = (title: string, title_type: string) =>
    ada.upload('/contents/', { collection: String(collection), title_type, title }, { name: 'a.png', bytes: makePng() })
  const places: Record<string, [field: string, write: (text: string) => Promise<TestAnswer>]> = {
    'a new collection': ['title', (title) => ada.post('/collections/', { title })],
    'a collection’s new title': ['title', (title) => ada.patch(`/collections/${collection}/`, { title })],
    'a file': ['title', (title) => sendFile(title, 'OTHER')],
    'a file’s new title': ['title', (title) => ada.patch(`/contents/${file}/`, { title_type: 'OTHER', title })],
    'a ticket': ['title', (title) => ada.post('/ticket/', { title })],
    'a profile': ['first_name', (first_name) => ada.patch('/profile/update_profile/', { first_name })],
    'a profile’s family name': ['last_name', (last_name) => ada.patch('/profile/update_profile/', { last_name })],
  }
  for (const [place, [field, write]] of Object.entries(places))
    await t.test(place, async () => {
      for (const mark of MARKS) {
        const answer = await write(`Ada${mark}Byron`)
        assert.equal(answer.status, 400, JSON.stringify(mark))
        assert.deepEqual(answer.json()[field], SAID, JSON.stringify(mark))
      }
      for (const text of [...HONEST, ' Ada Byron \n']) {
        const answer = await write(text)
        assert.ok(answer.status < 300, answer.body)
        assert.equal(answer.json()[field], text.trim())
      }
    })

  await t.test('a registration', async () => {
    const names = { first_name: 'Grace\u202eyarg', last_name: 'Hop\nper' }
    const answer = await server.stranger.post('/auth/register/', { ...account, ...names })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.json().first_name, SAID)
    assert.deepEqual(answer.json().last_name, SAID)
  })

  await t.test('a name of which nothing can be seen is none', async () => {
    const names = { first_name: '\u200b', last_name: '\u2060' }
    const answer = await server.stranger.post('/auth/register/', { ...account, ...names })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.json().first_name, ['This field is required.'])
    assert.deepEqual(answer.json().last_name, ['This field is required.'])
  })

  await t.test('9.36 an e-mail address, of an account and of a visitor', async () => {
    const names = { first_name: 'Grace', last_name: 'Hopper' }
    for (const mark of [...MARKS, '\u0007', '\u200b']) {
      const email = `a${mark}gro.live@example.org`
      for (const answer of [
        await server.stranger.post('/auth/register/', { ...account, ...names, email }),
        await ada.patch('/profile/update_profile/', { email }),
        await server.stranger.post(`/ticket/?email=${encodeURIComponent(email)}`, { title: 'Lost seal' }),
      ]) {
        assert.equal(answer.status, 400, JSON.stringify(mark))
        assert.deepEqual(answer.json().email, ['Enter a valid email address.'], JSON.stringify(mark))
      }
    }
  })

  await t.test('who has had an address that is refused by now signs in and resets the password by it', async () => {
    const email = 'old\u200bone@example.org'
    const old = await server.signIn('olga', { email })
    assert.equal(must(await old.get('/user/info'), 200).email, email)
    await server.settle()
    const before = (await server.mails()).length
    must(await server.stranger.post('/password/reset/', { email }), 200)
    await server.settle()
    assert.equal((await server.mails()).length, before + 1)
    assert.equal((await server.stranger.get(`/ticket/?email=${encodeURIComponent(email)}`)).status, 200)
  })

  await t.test('a title that is not used stands in nobody’s way', async () => {
    assert.equal(must(await sendFile('a\nb', 'TYPE1'), 201).title, 'TYPE1')
  })
})
