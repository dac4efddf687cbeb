import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestClient } from '../../testing.ts'

async function names(client: TestClient, query = ''): Promise<string[]> {
  const answer = await client.get(`/admin/users/?${query}`)
  assert.equal(answer.status, 200, answer.body)
  return answer.json().results.map((user: { username: string }) => user.username)
}

for (const engine of ENGINES) {
  test(`the list of users (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    server.clock.stop(Date.UTC(2027, 0, 1))
    const people = [
      { username: 'ada', is_admin: true },
      { username: 'Bob' },
      { username: 'sam', is_staff: true },
      { username: 'both', is_staff: true, is_admin: true },
      { username: 'new', verified: false },
      { username: 'gone', is_active: false },
      { username: 'Zoë_1', email: '100%sure@Example.ORG' },
    ]
    for (const person of people) {
      await server.createUser(person)
      server.clock.advance(60_000)
    }
    const admin = await server.signIn('ada')
    const superuser = await server.signIn('sue', { is_superuser: true })

    await t.test(
      '6.32 is for admins and superusers with a verified e-mail; 403 for all others, 401 for visitors',
      async () => {
        const unverified = await server.signIn('una', { is_admin: true, verified: false })
        for (const client of [admin, superuser]) assert.equal((await client.get('/admin/users/')).status, 200)
        assert.equal((await unverified.get('/admin/users/')).json().code, 'email_not_verified')
        for (const username of ['Bob', 'sam', 'new']) {
          const answer = await (await server.signIn(username)).get('/admin/users/')
          assert.equal(answer.status, 403, username)
          assert.equal(answer.json().code, 'forbidden')
          assert.equal(answer.json().results, undefined)
        }
        assert.equal((await server.stranger.get('/admin/users/')).status, 401)
        await server.deps.db.deleteFrom('users').where('username', '=', 'una').execute()
      },
    )

    await t.test(
      '3.11 shows each account with the fields of the specification, what one may turn, and nothing more',
      async () => {
        const { count, next, previous, results } = (await admin.get('/admin/users/?search=ada')).json()
        assert.deepEqual({ count, next, previous }, { count: 1, next: null, previous: null })
        const { id, ...shown } = results[0]
        assert.ok(Number.isSafeInteger(id))
        assert.deepEqual(shown, {
          username: 'ada',
          email: 'ada@example.org',
          first_name: 'Test',
          last_name: 'Person',
          date_joined: '2027-01-01T00:00:00.000Z',
          is_active: true,
          is_admin: true,
          is_staff: false,
          is_superuser: false,
          is_email_verified: true,
          gfa_is_enabled: false,
          // Their own; an admin turns the staff flag of others only.
          may: {
            is_active: false,
            is_superuser: false,
            is_admin: false,
            is_staff: false,
            is_email_verified: false,
            gfa_is_enabled: false,
          },
        })
      },
    )

    await t.test('7.39 comes newest first, and is narrowed to admins and staff', async () => {
      assert.deepEqual(await names(admin), ['sue', 'Zoë_1', 'gone', 'new', 'both', 'sam', 'Bob', 'ada'])
      assert.deepEqual(await names(superuser), await names(admin))
      assert.deepEqual(await names(admin, 'is_admin=true'), ['both', 'ada'])
      assert.deepEqual(await names(admin, 'is_staff=true'), ['both', 'sam'])
      assert.deepEqual(await names(admin, 'is_staff=true&is_admin=false'), ['sam'])
      for (const query of ['is_admin=1', 'is_admin=', 'is_staff=yes', 'is_staff=true&is_staff=true'])
        assert.equal((await admin.get(`/admin/users/?${query}`)).status, 400, query)
    })

    await t.test('is searched by username and e-mail whatever their case; wildcards mean themselves', async () => {
      assert.deepEqual(await names(admin, 'search=BOB'), ['Bob'])
      assert.deepEqual(await names(admin, `search=${encodeURIComponent('ZOË')}`), ['Zoë_1'])
      assert.deepEqual(await names(admin, 'search=%20100%25SURE%40example%20'), ['Zoë_1'])
      assert.equal((await names(admin, 'search=example.org')).length, 8)
      assert.equal((await names(admin, 'search=%20')).length, 8)
      assert.deepEqual(await names(admin, 'search=sam&is_staff=false'), [])
      for (const text of ['%25%25', 'a_a', 'Z%25_1', '!!', "' or 1=1 --"])
        assert.deepEqual(await names(admin, `search=${text}`), [], text)
      assert.equal((await admin.get('/admin/users/?search=a%00b')).status, 400)
      assert.equal((await admin.get(`/admin/users/?search=${'x'.repeat(201)}`)).status, 400)
    })

    await t.test('7.39 is searched by the whole e-mail where letters of it stand for others in names', async () => {
      for (const [email, ...texts] of [
        ['jens.groß@example.org', 'JENS.groß@example.org', ' groß@ '],
        ['klaus@straße.example', 'klaus@straße.example', 'straße'],
        ['ﬁx@example.org', 'ﬁx@example.org', 'ﬁx', 'ﬁ'],
      ]) {
        await server.createUser({ username: 'letters', ...(email && { email }) })
        for (const text of texts)
          for (const order of ['-date_joined', 'username'])
            assert.deepEqual(
              await names(admin, `search=${encodeURIComponent(text)}&ordering=${order}`),
              ['letters'],
              text,
            )
        await server.deps.db.deleteFrom('users').where('username', '=', 'letters').execute()
      }
      assert.deepEqual(await names(admin, `search=${encodeURIComponent('ＢＯＢ')}`), ['Bob'])
    })

    await t.test('7.39 is ordered by the five columns, id, username and e-mail, both ways; ties by id', async () => {
      assert.deepEqual(await names(admin, 'ordering=date_joined'), (await names(admin)).toReversed())
      assert.deepEqual(await names(admin, 'ordering=id'), await names(admin, 'ordering=date_joined'))
      assert.deepEqual((await names(admin, 'ordering=is_active'))[0], 'gone')
      assert.deepEqual((await names(admin, 'ordering=-is_active')).at(-1), 'gone')
      assert.deepEqual((await names(admin, 'ordering=is_email_verified')).slice(0, 2), ['new', 'ada'])
      assert.deepEqual((await names(admin, 'ordering=-is_admin')).slice(0, 3), ['both', 'ada', 'sue'])
      assert.deepEqual((await names(admin, 'ordering=-is_staff')).slice(0, 3), ['both', 'sam', 'sue'])
      const byName = ['ada', 'Bob', 'both', 'gone', 'new', 'sam', 'sue', 'Zoë_1']
      assert.deepEqual(await names(admin, 'ordering=username'), byName)
      assert.deepEqual(await names(admin, 'ordering=-username'), byName.toReversed())
      assert.deepEqual((await names(admin, 'ordering=email'))[0], 'Zoë_1')
      for (const query of ['ordering=is_superuser', 'ordering=password_hash', 'ordering=', 'ordering=--id'])
        assert.equal((await admin.get(`/admin/users/?${query}`)).status, 400, query)
    })

    await t.test('has ten a page, and its links keep the question', async () => {
      for (let index = 10; index < 23; index++) await server.createUser({ username: `page.${index}` })
      const first = (await admin.get('/admin/users/?search=page.&ordering=username')).json()
      assert.equal(first.count, 13)
      assert.equal(first.results.length, 10)
      assert.equal(first.previous, null)
      assert.match(first.next, /^\/backend\/api\/v1\/admin\/users\/\?search=page\.&ordering=username&page=2$/)
      assert.deepEqual(await names(admin, 'search=page.&ordering=username&page=2'), ['page.20', 'page.21', 'page.22'])
      const past = await admin.get('/admin/users/?page=99')
      assert.equal(past.status, 404)
      assert.equal(past.json().detail, 'Invalid page.')
      for (const page of ['0', '-1', 'x', '1.5'])
        assert.equal((await admin.get(`/admin/users/?page=${page}`)).status, 400, page)
      assert.equal((await admin.get('/admin/users')).status, 200, 'without the trailing slash too')
    })
  })
}
