import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { startTestServer } from '../testing.ts'

const STYLE = 'main{color:red}'
const SCRIPT = 'document.title="é"\nmore()'
const PAGE = `<!doctype html><title>x</title><style>${STYLE}</style><script>${SCRIPT}</script>\n`
const nameHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

async function serve(t: TestContext, html: string) {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-offline-'))
  t.after(() => rm(folder, { recursive: true }))
  const offlinePage = join(folder, 'verify.html')
  await writeFile(offlinePage, html)
  return startTestServer(t, 'sqlite', { built: { offlinePage } })
}

test('15.9 /verify is the built file, byte for byte, under a policy of its own', async (t) => {
  const server = await serve(t, PAGE)
  for (const url of ['/verify', '/verify/', '/verify?x=1']) {
    const answer = await server.inject({ url })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.body, PAGE)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers['set-cookie'], undefined)
    assert.equal(
      answer.headers['content-security-policy'],
      [
        "default-src 'none'",
        `script-src ${nameHash(SCRIPT)}`,
        `style-src ${nameHash(STYLE)}`,
        "connect-src 'self'",
        'img-src data: blob:',
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    )
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.match(String(answer.headers['permissions-policy']), /^camera=\(self\), geolocation=\(\)/)
  }
  const small = await server.inject({ url: '/verify', headers: { 'accept-encoding': 'br' } })
  assert.equal(brotliDecompressSync(small.rawPayload).toString(), PAGE)
  const again = await server.inject({ url: '/verify', headers: { 'if-none-match': String(small.headers['etag']) } })
  assert.equal(again.statusCode, 304)
  const listed = { 'if-none-match': `"other", ${String(small.headers['etag'])}` }
  assert.equal((await server.inject({ url: '/verify', headers: listed })).statusCode, 304)
  // Its policy is that of this one answer.
  assert.doesNotMatch(String((await server.inject({ url: '/healthz' })).headers['content-security-policy']), /sha256/)
})

test('15.10 /verify.sha256 names the hash of the page', async (t) => {
  const server = await serve(t, PAGE)
  const answer = await server.inject({ url: '/verify.sha256' })
  assert.equal(answer.body, `${createHash('sha256').update(PAGE).digest('hex')}  verify.html\n`)
  assert.match(String(answer.headers['content-type']), /^text\/plain/)
})

test('without a built page there is none, and a page with two scripts is not served', async (t) => {
  const bare = await startTestServer(t, 'sqlite')
  assert.equal((await bare.inject({ url: '/verify' })).statusCode, 404)
  await assert.rejects(serve(t, `${PAGE}<script>evil()</script>`), /exactly one <script>/)
})
