import { nameRoute, ROUTES, type NamedRoute } from '@proofdesk/contract/routes'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer, type TestAnswer, type TestClient } from '../testing.ts'

/** How zod words its own messages. */
const STOCK_WORDS =
  /Invalid (input|option|string|key|element|ISO)|expected \w+|received \w+|Too (small|big)|Unrecognized key/

/** Bodies that no call can make sense of. */
const ODD_BODIES: unknown[] = [undefined, {}, [], 'x', 5, null, { unheard_of: true }]

/** Would end the session with which the others are called. */
const ENDS_SESSION = new Set(['POST /auth/logout/'])

function callOddly(client: TestClient, { route }: NamedRoute): Promise<TestAnswer>[] {
  const path = route.path.replace(/:\w+/g, '999999')
  const addresses = route.query ? [path, `${path}?page=x&collection=x&id=&email=&ordering=x`] : [path]
  switch (route.method) {
    case 'GET':
      return addresses.map((address) => client.get(address))
    case 'DELETE':
      return addresses.map((address) => client.delete(address))
    case 'POST':
      return ODD_BODIES.map((body) => client.post(path, body))
    case 'PATCH':
      return ODD_BODIES.map((body) => client.patch(path, body))
  }
}

test('no call answers nothing, {} or nonsense in the words of the library', async (t) => {
  const server = await startTestServer(t)
  const superuser = await server.signIn('sue', { is_superuser: true })
  const ada = await server.signIn('ada')
  const calls = ROUTES.filter(({ route }) => !route.stream && !ENDS_SESSION.has(nameRoute(route)))
  let refusals = 0
  for (const named of calls) {
    for (const client of [superuser, ada, server.stranger]) {
      for (const answer of await Promise.all(callOddly(client, named))) {
        if (answer.status < 400) continue
        refusals += 1
        assert.ok(answer.status < 500, `${nameRoute(named.route)} ${answer.status}`)
        assert.doesNotMatch(answer.body, STOCK_WORDS, nameRoute(named.route))
      }
    }
  }
  assert.ok(refusals > 100, `${refusals} refusals`)
})

test('what is missing is said in words for people, at its field, once', async (t) => {
  const server = await startTestServer(t)
  const superuser = await server.signIn('sue', { is_superuser: true })
  const ada = await server.signIn('ada')
  const required = ['This field is required.']
  assert.deepEqual((await ada.get('/contents/')).json().collection, required)
  assert.deepEqual((await ada.get('/comments/')).json().collection, required)
  assert.deepEqual((await ada.get('/content-servers/serve/')).json().collection_proofid, required)
  assert.deepEqual((await ada.get('/contents/?collection=x')).json().collection, ['This is not a valid id.'])

  for (const body of [{}, undefined, null, { title: null }]) {
    const answer = (await ada.post('/collections/', body)).json()
    assert.deepEqual(
      [answer.detail, answer.title],
      ['Collection title is required.', ['Collection title is required.']],
    )
  }
  assert.deepEqual((await ada.post('/collections/', { title: 5 })).json().title, ['This must be text.'])
  assert.deepEqual((await ada.post('/collections/', [])).json().non_field_errors, ['Send the fields as a JSON object.'])

  const once = 'Send exactly one of is_active, gfa_is_enabled, is_email_verified, is_admin and is_staff.'
  const flags = (await superuser.patch('/admin/users/1/', { is_active: true, is_staff: true })).json()
  assert.deepEqual(flags, { code: 'invalid', detail: once, non_field_errors: [once] })
})

test('a body that is no JSON, and a field that a query holds twice, are told as that', async (t) => {
  const server = await startTestServer(t)
  const said = 'The body cannot be read as JSON.'
  // The é of the last is not UTF-8.
  const bodies = ['{', '{"username":}', '{"__proto__":{"username":"x"}}', Buffer.from('{"username":"René"}', 'latin1')]
  for (const payload of bodies) {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.inject({ method: 'POST', url: '/backend/api/v1/auth/login/', headers, payload })
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(answer.json(), { code: 'invalid', detail: said, non_field_errors: [said] })
  }
  const ada = await server.signIn('ada')
  for (const field of ['page', 'search', 'is_active']) {
    const answer = (await ada.get(`/collections/?${field}=1&${field}=true`)).json()
    assert.deepEqual(answer, { code: 'invalid', detail: 'Give this only once.', [field]: ['Give this only once.'] })
  }
})

test('a page that no list can have is past the end, not below the beginning', async (t) => {
  const server = await startTestServer(t)
  const ada = await server.signIn('ada')
  for (const page of ['2', '9007199254740993', '9'.repeat(40)]) {
    const answer = await ada.get(`/collections/?page=${page}`)
    assert.deepEqual([answer.status, answer.json().detail], [404, 'Invalid page.'])
  }
})
