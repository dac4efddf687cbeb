import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startTestServer, TEST_PASSWORD } from '../testing.ts'
import { waitUntil } from '../testing/wait-until.ts'

test('the HTTP surface', async (t) => {
  const server = await startTestServer(t)
  const { stranger } = server
  let listening: Promise<string> | undefined
  const postRaw = (payload: string | Buffer, contentType = 'application/json', path = '/auth/login/') =>
    server.inject({ method: 'POST', url: `/backend/api/v1${path}`, headers: { 'content-type': contentType }, payload })

  await t.test('7.2 every path answers with and without its closing slash', async () => {
    for (const path of ['/user/info', '/user/info/', '/notification', '/notification/'])
      assert.equal((await stranger.get(path)).status, 401, path)
  })

  await t.test('an unknown path of the API is 404 in JSON, for every method and caller', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)
      for (const url of [
        '/backend',
        '/backend/',
        '/backend/api/v1/nothing/',
        '/backend/api/v2/user/info',
        '/backend/%2e%2e/',
      ]) {
        const answer = await server.inject({ method, url, headers: { accept: 'text/html' } })
        assert.equal(answer.statusCode, 404, `${method} ${url}`)
        assert.equal(answer.json().code, 'not_found')
      }
  })

  await t.test('7.52 and a method that an address does not take is 405, which names those it takes', async () => {
    const send = (method: 'PUT' | 'POST' | 'OPTIONS' | 'HEAD', path: string) =>
      server.inject({ method, url: `/backend/api/v1${path}` })
    for (const [method, path, allowed] of [
      ['PUT', '/user/info', 'GET, HEAD'],
      ['OPTIONS', '/auth/login/', 'POST'],
      ['POST', '/collections/7/', 'DELETE, GET, HEAD, PATCH'],
      ['PUT', '/collections?page=1', 'GET, HEAD, POST'],
      ['HEAD', '/notification/check_read', 'GET'],
    ] as const) {
      const answer = await send(method, path)
      assert.deepEqual([answer.statusCode, answer.headers.allow], [405, allowed], `${method} ${path}`)
      if (method === 'HEAD') continue
      assert.deepEqual(answer.json(), {
        code: 'method_not_allowed',
        detail: `Method ${method} is not allowed here. Allowed: ${allowed}.`,
      })
    }
    // No collection has such an id, whatever is asked of it.
    for (const path of ['/collections/first/', '/collections/%/', '/collections/7/save/more/'])
      assert.equal((await send('POST', path)).statusCode, 404, path)
  })

  await t.test('an address that cannot be decoded is 404', async () => {
    for (const url of ['/backend/api/v1/%', '/%c0%ae', `/backend/api/v1/collections/${'9'.repeat(500)}/`])
      assert.ok([401, 404].includes((await server.inject({ url })).statusCode), url)
    assert.equal((await server.inject({ url: '/%' })).json().code, 'not_found')
  })

  await t.test('broken, poisoned and nonsensical JSON is 400, and never a 500', async () => {
    const bodies = [
      '{',
      'null',
      '[]',
      '"text"',
      '1e999',
      '{"username":{"toString":1},"password":[]}',
      '{"__proto__":{"is_superuser":true},"username":"a","password":"b"}',
      '{"constructor":{"prototype":{"x":1}},"username":"a","password":"b"}',
      '{"username":"\\u0000","password":"b"}',
      '{"username":"\\ud800","password":"b"}',
      `{"username":${'['.repeat(20_000)}${']'.repeat(20_000)},"password":"b"}`,
      `{"username":${'9'.repeat(400)},"password":"b"}`,
      '\ufeff{"username":"a"}',
    ]
    for (const body of bodies) {
      const answer = await postRaw(body)
      assert.equal(answer.statusCode, 400, body.slice(0, 60))
      assert.ok(answer.json().detail.length > 0)
      assert.equal(answer.json().code, 'invalid')
    }
    assert.equal(({} as Record<string, unknown>)['is_superuser'], undefined)
  })

  await t.test('a faulty field is named, and `detail` says the first message', async () => {
    const answer = await stranger.post('/auth/login/', { username: ' ', password: 'x' })
    assert.deepEqual(answer.json(), {
      code: 'invalid',
      detail: 'This field is required.',
      username: ['This field is required.'],
    })
  })

  await t.test('a call may announce JSON and send none', async () => {
    const ada = await server.signIn('new', { verified: false })
    const answer = await ada.post('/profile/resend_verification_email/', undefined, {
      'content-type': 'application/json',
    })
    assert.equal(answer.status, 200)
  })

  await t.test('7.52 a form is 415 where none is due, and is not taken for an empty body', async () => {
    const ada = await server.signIn('ada')
    const form = '--x\r\ncontent-disposition: form-data; name="first_name"\r\n\r\nGrace\r\n--x--\r\n'
    for (const [method, path] of [
      ['PATCH', '/profile/update_profile/'],
      ['POST', '/notification/read_all/'],
      ['POST', '/auth/login/'],
    ] as const) {
      const headers = { 'content-type': 'multipart/form-data; boundary=x', authorization: `Bearer ${ada.access}` }
      const answer = await server.inject({ method, url: `/backend/api/v1${path}`, headers, payload: form })
      assert.deepEqual([answer.statusCode, answer.json().code], [415, 'unsupported_media_type'], path)
    }
  })

  await t.test('a body that is too large is 413, of another kind 415', async () => {
    const large = await postRaw(JSON.stringify({ username: 'a'.repeat(200_000) }))
    assert.equal(large.statusCode, 413)
    assert.equal(large.json().code, 'body_too_large')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
      const answer = await postRaw('username=a', type)
      assert.equal(answer.statusCode, 415, type)
      assert.equal(answer.json().code, 'unsupported_media_type')
    }
  })

  await t.test('a query said twice is 400', async () => {
    const ada = await server.signIn('ada')
    assert.equal((await ada.get('/notification/check_read?id=1&id=2')).status, 400)
  })

  await t.test('answers carry the headers that keep browsers strict', async () => {
    const { headers } = await stranger.get('/instance')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['strict-transport-security'], undefined)
    assert.equal(headers['access-control-allow-origin'], undefined)
  })

  await t.test('however its address is written, an answer of the API is data that nobody keeps', async () => {
    const answers = await ask([
      '/backend/api/v1/user/info',
      '/%62ackend/api/v1/user/info',
      '/backend/api/v1/%75ser/info/',
      'http://elsewhere.example/backend/api/v1/user/info',
      'HTTP://elsewhere.example/%62ackend/api/v1/user/info',
      '/%62ackend/nothing',
      'http://elsewhere.example/backend',
      '/backend/api/v1/%',
    ])
    for (const { target, status, head } of answers) {
      assert.ok([401, 404].includes(status), `${target} ${status}`)
      assert.match(head, /^cache-control: no-store$/im, target)
      assert.match(head, /^content-security-policy: default-src 'none'; frame-ancestors 'none'$/im, target)
      assert.match(head, /^x-content-type-options: nosniff$/im, target)
    }
  })

  await t.test('links to other pages of a list lead to our own path, however it was asked for', async () => {
    const ada = await server.signIn('ada')
    for (let n = 0; n < 11; n += 1) await ada.post('/collections/', { title: `Collection ${n}` })
    const [answer] = await ask(['http://elsewhere.example/backend/api/v1/collections/'], ada.access)
    assert.match(answer?.body ?? '', /"next":"\/backend\/api\/v1\/collections\/\?page=2"/)
  })

  /** As it stands on the wire: clients would write the address anew. */
  async function ask(targets: string[], access?: string) {
    const { port } = new URL(await (listening ??= server.listen()))
    return Promise.all(
      targets.map(async (target) => {
        const socket = connect(Number(port), '127.0.0.1')
        const bearer = access === undefined ? '' : `authorization: Bearer ${access}\r\n`
        socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\n${bearer}connection: close\r\n\r\n`)
        const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
        return { target, status: Number(head.split(' ')[1]), head: head.replaceAll('\r\n', '\n'), body }
      }),
    )
  }

  await t.test('a failure of ours tells a number to quote, and nothing of its cause', async () => {
    const ada = await server.signIn('ada')
    const table = server.deps.db.schema
    await table.alterTable('notifications').renameTo('gone').execute()
    const answer = await ada.get('/notification/')
    await table.alterTable('gone').renameTo('notifications').execute()
    assert.equal(answer.status, 500)
    const { request_id, ...body } = answer.json()
    assert.deepEqual(body, { code: 'internal', detail: 'Something went wrong. Please try refreshing the page.' })
    assert.match(request_id, /^[0-9a-f-]{36}$/)
    const line = server.logLines.find((entry) => entry.includes(request_id) && entry.includes('unexpected failure'))
    assert.match(line ?? '', /no such table: notifications/)
  })

  await t.test('the log holds no token, address, name, password, query or address of a caller', async () => {
    const secret = 'Sesame1!sesame'
    const email = 'very.private@example.org'
    const account = { first_name: 'Hidden', last_name: 'Person', username: 'hidden', phone_number: '555 0199' }
    await stranger.post('/auth/register/', { ...account, email, password: secret })
    await stranger.post('/auth/register/', { ...account, email, password: secret })
    await stranger.post('/auth/login/', { username: 'hidden', password: secret })
    await stranger.post('/auth/login/', { username: 'hidden', password: `${secret}x` })
    const hidden = await server.signIn('hidden2', { email: 'h2@example.org' })
    await hidden.get('/notification/check_read?id=77777')
    await stranger.get('/service-content-servers/get-pdfs/?proofid=AAAA-SECRET&username=hidden')
    await stranger.get('/nothing/at-all?token=hidden-query')
    await postRaw('{"username": "hidden", "oops')
    await server.mails()
    const log = server.logLines.join('')
    assert.ok(server.logLines.length > 10)
    const forbidden = [
      secret,
      email,
      'Hidden',
      'hidden',
      '555 0199',
      '77777',
      'SECRET',
      TEST_PASSWORD,
      '127.0.0.1',
      '?',
    ]
    for (const word of [...forbidden, hidden.access ?? 'x', hidden.refresh ?? 'x'])
      assert.ok(!log.includes(word), `the log holds ${word}`)
    assert.ok(server.announced.every((line) => /^Mail written to \S+\.eml$/.test(line)))
  })

  await t.test('health: the process runs, and database and storage can be used', async () => {
    const alive = await server.inject({ url: '/healthz' })
    assert.deepEqual([alive.statusCode, alive.json()], [200, { status: 'ok' }])
    const ready = await server.inject({ url: '/readyz/' })
    assert.deepEqual([ready.statusCode, ready.json()], [200, { status: 'ok', database: 'ok', storage: 'ok' }])
    await rm(join(server.config.dataDir, 'incoming'), { recursive: true })
    const lame = await waitUntil(async () => {
      const answer = await server.inject({ url: '/readyz' })
      return answer.statusCode === 503 && answer
    })
    assert.deepEqual(lame.json(), { status: 'unavailable', database: 'ok', storage: 'unavailable' })
    await mkdir(join(server.config.dataDir, 'incoming'))
  })

  await t.test('bytes that are no request, and headers without end, are answered and cut off', async () => {
    const url = new URL(await (listening ??= server.listen()))
    const talk = async (bytes: string) => {
      const socket = connect(Number(url.port), url.hostname)
      socket.on('error', () => {})
      socket.write(bytes)
      return text(socket)
    }
    assert.match(await talk('HELO there\r\n\r\n'), /^HTTP\/1\.1 400 [^]*"code":"invalid"/)
    assert.match(await talk(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /)
    assert.match(
      await talk(
        'POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
      /^HTTP\/1\.1 400 /,
    )
  })
})

test('under https browsers are told to stay there, and take our cookies from no neighbour', async (t) => {
  const server = await startTestServer(t, 'sqlite', { config: { publicUrl: 'https://proof.example' } })
  const { headers } = await server.inject({ url: '/healthz' })
  assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
  await server.createUser({ username: 'ada' })
  const signedIn = await server.stranger.post('/auth/login/', { username: 'ada', password: TEST_PASSWORD })
  assert.match(
    String(signedIn.headers['set-cookie']),
    /^__Host-challenge=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict; Secure$/,
  )
})

test('the built web app', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'proofdesk-web-'))
  t.after(() => rm(home, { recursive: true }))
  const webDir = join(home, 'dist')
  await mkdir(join(webDir, 'assets/inner'), { recursive: true })
  await mkdir(join(webDir, 'assets/.inner'))
  await mkdir(join(webDir, '.vite'))
  await writeFile(
    join(webDir, 'index.html'),
    '<!doctype html><title>page</title><script type="module" src="/a.js"></script>',
  )
  await writeFile(
    join(webDir, '.vite/first-loads.json'),
    JSON.stringify([
      { path: '/content/:id', guest: ['assets/login.js'], member: ['assets/session.js', 'assets/detail.js'] },
    ]),
  )
  await writeFile(join(webDir, 'assets/app-1a2b3c.js'), 'export {}')
  await writeFile(join(webDir, 'assets/app-1a2b3c.js.br'), 'small')
  for (const name of ['../outside.json', '.vite/manifest.json', 'assets/.hidden.js', 'assets/.inner/hidden.js'])
    await writeFile(join(webDir, name), '{"name":"hidden"}')
  await writeFile(join(webDir, 'theme.js'), '')
  const server = await startTestServer(t, 'sqlite', { built: { webDir } })
  const open = (url: string, accept = 'text/html,*/*') => server.inject({ url, headers: { accept } })

  await t.test('a page address answers the page, with the policy for pages, and is never kept', async () => {
    for (const url of ['/', '/login', '/content/12', `/setup/${'a'.repeat(43)}`, '/nowhere/at/all', '/?x=1']) {
      const answer = await open(url)
      assert.equal(answer.statusCode, 200, url)
      assert.match(answer.body, /<title>page/)
      assert.equal(answer.headers['cache-control'], 'no-cache')
      const policy = String(answer.headers['content-security-policy'])
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        'trusted-types proofdesk-pdf-worker',
      ])
        assert.ok(policy.split('; ').includes(part), part)
      assert.ok(!policy.includes('unsafe'))
    }
  })

  await t.test('a page names the scripts that its address loads first, by whether somebody is signed in', async () => {
    const named = async (url: string, headers: Record<string, string> = {}) => {
      const answer = await server.inject({ url, headers: { accept: 'text/html', ...headers } })
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers['vary']), /cookie/i)
      return [...answer.body.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)">/g)].map(([, href]) => href)
    }
    assert.deepEqual(await named('/content/12'), ['/assets/login.js'])
    assert.deepEqual(await named('/content/12?from=mail', { cookie: 'theme=dark; refresh_turn=1-a' }), [
      '/assets/session.js',
      '/assets/detail.js',
    ])
    assert.deepEqual(await named('/content/12/', { cookie: 'refresh_turn=1-a' }), [
      '/assets/session.js',
      '/assets/detail.js',
    ])
    for (const url of ['/', '/content/', '/content/12/34', '/nowhere']) assert.deepEqual(await named(url), [], url)
  })

  await t.test('a page that a browser still has is not sent again, unless it names other scripts', async () => {
    const open304 = (url: string, etag: string, cookie = '') =>
      server.inject({ url, headers: { accept: 'text/html', 'if-none-match': etag, cookie } })
    const etag = String((await open('/content/12')).headers['etag'])
    const again = await open304('/content/13', etag)
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
    assert.equal(again.headers['cache-control'], 'no-cache')
    // Proxies that compress make a strong tag weak, or send those of several answers they keep.
    for (const tags of [etag.replace('W/', ''), `"other", ${etag}`, `${etag},W/"other"`, '*'])
      assert.equal((await open304('/content/13', tags)).statusCode, 304, tags)
    assert.equal((await open304('/content/13', '"other", W/"another"')).statusCode, 200)
    const { headers } = await server.inject({
      method: 'HEAD',
      url: '/content/13',
      headers: { accept: 'text/html', 'if-none-match': etag },
    })
    assert.equal(headers['content-length'], undefined, 'a page that is not sent again is said to have no bytes')
    assert.equal((await open304('/content/12', etag, 'refresh_turn=1-a')).statusCode, 200)
  })

  await t.test('the page is compressed for those who read it so', async () => {
    const url = '/content/12'
    const read = { br: brotliDecompressSync, gzip: gunzipSync }
    const plain = (await open(url)).body
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const answer = await server.inject({ url, headers: { accept: 'text/html', 'accept-encoding': accepted } })
      assert.equal(answer.headers['content-encoding'], coding)
      assert.equal(read[coding](answer.rawPayload).toString(), plain)
    }
    assert.equal((await open(url)).headers['content-encoding'], undefined)
  })

  await t.test('hashed files are kept for good, others are asked for again', async () => {
    const hashed = await open('/assets/app-1a2b3c.js')
    assert.equal(hashed.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(hashed.headers['content-type']), /javascript/)
    assert.equal((await open('/theme.js')).headers['cache-control'], 'no-cache')
  })

  await t.test('a browser that reads brotli gets the compressed file of the build, others the plain one', async () => {
    const url = '/assets/app-1a2b3c.js'
    const small = await server.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    assert.equal(small.body, 'small')
    assert.equal(small.headers['content-encoding'], 'br')
    assert.match(String(small.headers['content-type']), /javascript/)
    assert.equal(small.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(small.headers['vary']), /accept-encoding/i)
    const plain = await open(url)
    assert.equal(plain.body, 'export {}')
    assert.equal(plain.headers['content-encoding'], undefined)
  })

  await t.test('a public page is answered also to what asks for anything, as previews and monitors do', async () => {
    for (const url of ['/service-content', '/transparency', '/login?x']) {
      assert.match((await open(url, '*/*')).body, /<title>page/)
      assert.match((await server.inject({ url })).body, /<title>page/)
      assert.equal((await open(url, 'application/json')).statusCode, 404)
    }
    for (const url of ['/nowhere', '/collection', '/ticket', '/service-content/'])
      assert.equal((await open(url, '*/*')).statusCode, 404, url)
  })

  await t.test('a missing file, a hidden one, a way out and the API never fall back to the page', async () => {
    for (const url of [
      '/assets/gone.js',
      '/assets/',
      '/assets/inner',
      '/backend/api/v1/nothing',
      '/backend',
      '/backend?x',
    ])
      assert.equal((await open(url)).statusCode, 404, url)
    for (const url of [
      '/.vite/manifest.json',
      '/assets/.hidden.js',
      '/assets/.inner/hidden.js',
      '/assets/%2ehidden.js',
    ])
      assert.equal((await open(url, '*/*')).statusCode, 404, url)
    assert.equal((await open('/gone.png', 'image/*')).statusCode, 404)
    const waysOut = ['/..', '/%2e%2e', '/assets/..%2f..', '/assets/../..', '/assets/%2e%2e/%2e%2e', '/assets/..%5c..']
    for (const way of waysOut)
      for (const name of ['outside.json', '.vite/manifest.json', 'theme.js%00'])
        assert.ok(!(await open(`${way}/${name}`)).body.includes('"name"'), way)
    for (const url of ['/assets/..%2ftheme.js', '/assets/a%00.js', '/assets/%', '/assets//theme.js'])
      assert.ok([400, 403, 404].includes((await open(url)).statusCode), url)
    assert.equal(
      (await server.inject({ method: 'POST', url: '/login', headers: { accept: 'text/html' } })).statusCode,
      404,
    )
  })
})
