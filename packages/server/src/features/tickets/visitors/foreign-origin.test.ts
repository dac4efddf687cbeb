import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, findToken, startTestServer } from '../../../testing.ts'
import { makeVisitor, openTicket } from '../../../testing/tickets.ts'

for (const engine of ENGINES) {
  test(`a visitor’s changes come from our own pages (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { publicUrl: 'https://proof.example' } })
    const vera = makeVisitor(server.stranger, 'vera@example.net')

    await t.test('under https the cookie is Secure and no other host can plant it', async () => {
      await openTicket(vera)
      assert.match(
        vera.setCookie ?? '',
        /^__Host-visitor=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/,
      )
    })

    await t.test('another site’s are refused and change nothing', async () => {
      const before = (await vera.get('/ticket/')).json().count
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'https://proof.example.evil.example' },
        { origin: 'http://proof.example' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]) {
        for (const [path, body] of [
          ['/ticket/', { title: 'x' }],
          ['/conversation/', { text: 'x', ticket: 1 }],
          ['/ticket/link/', { email: 'vera@example.net' }],
          ['/ticket/session/', { token: 'A'.repeat(43) }],
        ] as const) {
          const answer = await vera.post(path, body, headers)
          assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}`)
          assert.equal(answer.json().code, 'foreign_origin')
        }
      }
      assert.equal((await vera.get('/ticket/')).json().count, before)
      assert.deepEqual(await server.mails(), [])
    })

    await t.test('those of our own pages, and of programs, are taken', async () => {
      assert.equal((await vera.post('/ticket/', { title: 'x' }, { origin: 'https://proof.example' })).status, 201)
      assert.equal((await vera.post('/ticket/', { title: 'x' }, { 'sec-fetch-site': 'same-origin' })).status, 201)
      const byOtherName = { host: 'desk.internal:8000', origin: 'http://desk.internal:8000' }
      assert.equal((await vera.post('/ticket/', { title: 'x' }, byOtherName)).status, 201)
    })

    await t.test('who comes with a token is not asked where from', async () => {
      const ada = await server.signIn('ada')
      assert.equal((await ada.post('/ticket/', { title: 'x' }, { origin: 'https://app.example' })).status, 201)
    })

    await t.test('addresses and tokens reach no log', async () => {
      await server.stranger.post('/ticket/link/', { email: 'vera@example.net' })
      const token = findToken((await server.mails()).at(-1), 'ticket/open')
      await server.stranger.post('/ticket/session/', { token })
      const log = server.logLines.join('\n')
      assert.ok(!/vera@example\.net/i.test(log) && !log.includes(token))
    })
  })
}
