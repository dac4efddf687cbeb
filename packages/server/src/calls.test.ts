import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestAnswer, type TestServer } from './testing.ts'
import { addFile, must, openCollection, sendCollection } from './testing/collections.ts'
import { codeOf } from './testing/two-factor.ts'

/** Specification section 3: the fields of each entity. What the product adds beside them is none of its business. */
const USER = ['id', 'email', 'username', 'is_staff', 'is_admin', 'is_superuser', 'is_active', 'is_email_verified']
const COLLECTION = 'id title is_locked is_active proofid admin_desc admin_username username'.split(' ')
const COLLECTION_TIMES = ['remaining_approval_time', 'expire_time']
const CONTENT = ['id', 'title', 'type', 'is_active', 'file', 'collection', 'username', 'created_at']
const COMMENT = ['id', 'user', 'username', 'is_staff', 'text', 'created_at']
const NOTIFICATION = ['id', 'type', 'path', 'is_read', 'created_at']
const SERVER_CONTENT = 'collection_proofid collection_title pdf_file user staff_username created_at is_active'.split(
  ' ',
)
const TICKET = ['id', 'ticket_id', 'title', 'status', 'is_locked', 'username', 'email', 'admin_username']
const MESSAGE = ['id', 'text', 'username', 'is_admin', 'created_at']
const PROFILE = 'username email first_name last_name phone_number birthdate gfa_is_enabled is_email_verified'.split(' ')
const PAGE = ['count', 'next', 'previous', 'results']
/** Of a list that can be searched. */
const SEARCH_PAGE = [...PAGE, 'count_capped']

function assertFields(value: object, fields: readonly string[], what: string): void {
  for (const field of fields) assert.ok(field in value, `${what} has ${field}`)
}

function assertPage(answer: TestAnswer, fields: readonly string[], what: string, shape = PAGE): void {
  const page = must(answer, 200)
  assert.deepEqual(Object.keys(page), shape, what)
  assert.ok(page.results.length > 0, `${what} lists something`)
  assertFields(page.results[0], fields, what)
}

async function approve(server: TestServer): Promise<{ id: number; proofid: string }> {
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const id = await sendCollection(ada)
  const decision = { admin_desc: 'Fine', expire_time: '2099-01-31T18:00' }
  return must(await sam.post(`/admin/${id}/approve/`, decision), 200)
}

for (const engine of ENGINES) {
  test(`the calls of the specification answer with its fields (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const { id: approved, proofid } = await approve(server)
    const open = await openCollection(ada, 'Open one')
    const content = await addFile(ada, open)

    await t.test('3.4 7.3 POST /auth/register/ takes the payload of the specification', async () => {
      const payload = {
        email: 'bea@example.org',
        first_name: 'Bea',
        last_name: 'Berg',
        username: 'bea',
        password: 'Secret1!',
        phone_number: '+44 20 7946 0000',
        birthdate: null,
      }
      assertFields(must(await server.stranger.post('/auth/register/', payload), 201), USER, 'the account')
    })

    await t.test(
      '3.3 3.6 POST /auth/login/ answers tokens, the second factor and the id; /user/info the person',
      async () => {
        const login = await server.stranger.post('/auth/login/', { username: 'ada', password: 'Secret1!' })
        assertFields(must(login, 200), ['access', 'refresh', 'gfa_is_enabled', 'user_id'], 'the login')
        assert.deepEqual(
          Object.keys(must(await ada.get('/user/info'), 200)).toSorted(),
          [...USER, 'mail_refusal'].toSorted(),
        )
      },
    )

    await t.test(
      '7.5 7.8 POST /token/refresh/ answers a pair, POST /auth/logout/ takes the refresh token',
      async () => {
        const cleo = await server.signIn('cleo')
        const pair = must(await server.stranger.post('/token/refresh/', { refresh: cleo.refresh }), 200)
        assertFields(pair, ['access', 'refresh'], 'the pair')
        const headers = { authorization: `Bearer ${pair.access}` }
        must(await server.stranger.post('/auth/logout/', { refresh: pair.refresh }, headers), 200)
        assert.equal((await server.stranger.get('/user/info', headers)).status, 401)
      },
    )

    await t.test('7.6 POST /password/reset/ answers a message without a token', async () => {
      assertFields(
        must(await server.stranger.post('/password/reset/', { email: 'x@example.org' }), 200),
        ['message'],
        'it',
      )
    })

    await t.test('3.8 7.13 7.14 the profile is shown and changed in its fields', async () => {
      assert.deepEqual(Object.keys(must(await ada.get('/profile/info/'), 200)), PROFILE)
      assert.deepEqual(Object.keys(must(await ada.patch('/profile/update_profile/', { last_name: 'L' }), 200)), PROFILE)
      const una = await server.signIn('una', { verified: false })
      must(await una.post('/profile/resend_verification_email/', {}), 200)
    })

    await t.test('3.10 4.17 7.16 7.17 two-factor: an image, a switch with otp, and a code for a user id', async () => {
      const dan = await server.signIn('dan')
      const { secret, qr_code: image } = must(await dan.get('/g2fa/gfa_qrcode/'), 200)
      assert.match(image, /^data:image\//)
      const otp = codeOf(secret, server.clock.now())
      const on = must(await dan.patch('/g2fa/gfa_status/', { otp }), 200)
      assert.equal(on.gfa_is_enabled, true, 'true when left out')
      const login = await server.stranger.post('/auth/login/', { username: 'dan', password: 'Secret1!' })
      const { user_id, gfa_is_enabled: isEnabled, access, challenge } = must(login, 200)
      assert.deepEqual([isEnabled, access], [true, null])
      const step = { user_id, otp: codeOf(secret, server.clock.now(), 1), challenge }
      assertFields(must(await server.stranger.post('/g2fa/gfa_verify/', step), 200), ['access', 'refresh'], 'the step')
      assert.equal(must(await dan.patch('/g2fa/gfa_status/', { gfa_is_enabled: false }), 200).gfa_is_enabled, false)
    })

    await t.test('3.12 3.13 3.28 7.20 7.25 collections are listed and shown in their fields', async () => {
      assertPage(await ada.get('/collections/'), [...COLLECTION, ...COLLECTION_TIMES], 'the list', SEARCH_PAGE)
      const one = must(await ada.get(`/collections/${approved}`), 200)
      assertFields(one, [...COLLECTION, ...COLLECTION_TIMES], 'one')
      assert.deepEqual([one.proofid, one.admin_username, one.is_locked], [proofid, 'sam', true])
      assert.equal(one.expire_time, '2099-01-31T18:00:00.000Z')
      assert.equal(typeof one.remaining_approval_time, 'number')
      const query =
        '?page=1&is_active=true&is_locked=true&exlude_admin_desc=x&has_proofid=true&search=degree&ordering=-title'
      assert.equal(must(await ada.get(`/collections/${query}`), 200).count, 1)
    })

    await t.test('9.11 a new collection carries the default description, word for word', async () => {
      assert.equal(must(await ada.get(`/collections/${open}`), 200).admin_desc, 'Admin Not approve yet')
    })

    await t.test(
      '3.15 3.16 7.34 contents name their collection with is_locked and proofid, and are served',
      async () => {
        assertPage(await ada.get(`/contents/?collection=${approved}&ordering=-created_at`), CONTENT, 'the list')
        const { results } = (await ada.get(`/contents/?collection=${approved}`)).json()
        assertFields(results[0].collection, ['is_locked', 'proofid'], 'its collection')
        assert.equal(results[0].collection.proofid, proofid)
        assert.deepEqual([results[0].title, results[0].type, results[0].username], ['TYPE1', 'PDF', 'ada'])
        assert.equal(must({ ...(await ada.get(`/contents/serve/?content_id=${content}`)), body: '' }, 200), undefined)
        must(await ada.delete(`/contents/${content}/?collection=${open}`), 204)
      },
    )

    await t.test('3.18 comments are made and listed in their fields', async () => {
      const made = must(await ada.post('/comments/', { text: 'Look', collection: open }), 201)
      assertFields(made, COMMENT, 'the comment')
      assertPage(await ada.get(`/comments/?collection=${open}`), COMMENT, 'the list')
      must(await ada.delete(`/comments/${made.id}/?collection=${open}`), 204)
    })

    await t.test('3.23 notifications are listed in their fields, and checked by id', async () => {
      const page = await ada.get('/notification/')
      assertPage(page, NOTIFICATION, 'the list')
      const [newest] = page.json().results
      assert.deepEqual([newest.type, newest.path], ['APPROVED_COLLECTION', null])
      assert.equal((await ada.get(`/notification/check_read?id=${newest.id}`)).status, 202)
    })

    await t.test('3.20 server content is listed in its fields, and served by Proof ID', async () => {
      const page = await sam.get('/content-servers/?page=1&ordering=-created_at')
      assertPage(page, SERVER_CONTENT, 'the list', SEARCH_PAGE)
      const [first] = page.json().results
      assert.deepEqual([first.collection_proofid, first.user, first.staff_username], [proofid, 'ada', 'sam'])
      const pdf = await ada.get(`/content-servers/serve/?collection_proofid=${proofid}`)
      assert.deepEqual([pdf.status, pdf.headers['content-type']], [200, 'application/pdf'])
    })

    await t.test('7.43 a stranger gets the PDF by proofid and username without a token', async () => {
      const path = `/service-content-servers/get-pdfs/?proofid=${proofid}&username=ada`
      const pdf = await server.stranger.get(path)
      assert.deepEqual([pdf.status, pdf.headers['content-type']], [200, 'application/pdf'])
      assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-')
    })

    await t.test('3.25 3.27 7.45 tickets and their messages are listed in their fields', async () => {
      const ticket = must(await ada.post('/ticket/', { title: 'Lost seal' }), 201)
      assertFields(ticket, TICKET, 'the ticket')
      assert.equal(ticket.ticket_id, ticket.id)
      assertFields(
        must(await ada.post('/conversation/', { text: 'Hello', ticket: ticket.id }), 201),
        MESSAGE,
        'a message',
      )
      assertPage(await ada.get(`/conversation/?ticket_id=${ticket.id}`), MESSAGE, 'the conversation')
      const query = '?page=1&search=ada&status=OPEN&is_locked=false&ordering=-created_at'
      assertPage(await sam.get(`/ticket/${query}`), TICKET, 'the list', SEARCH_PAGE)
    })

    await t.test(
      '7.1 all of them live below /backend/api/v1, and demand a token unless the specification frees them',
      async () => {
        assert.equal((await server.inject({ url: '/backend/api/v1/user/info' })).statusCode, 401)
        assert.notEqual((await server.inject({ url: '/user/info' })).statusCode, 401)
        for (const path of [
          '/user/info',
          '/profile/info/',
          '/g2fa/gfa_qrcode/',
          '/notification/',
          '/notification/check_read?id=1',
          '/collections/',
          `/collections/${open}`,
          `/collections/${open}/save/`,
          `/contents/?collection=${open}`,
          `/contents/serve/?content_id=${content}`,
          `/comments/?collection=${open}`,
          '/content-servers/',
          `/content-servers/serve/?collection_proofid=${proofid}`,
        ])
          assert.equal((await server.stranger.get(path)).status, 401, path)
        for (const path of [
          '/collections/',
          '/comments/',
          '/contents/',
          '/admin/1/approve/',
          '/admin/1/reject/',
          '/password/change/',
        ])
          assert.equal((await server.stranger.post(path, {})).status, 401, path)
      },
    )
  })
}
