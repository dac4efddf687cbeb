import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { openDiskStore } from '../blobs/disk.ts'
import { openLogger } from '../logger.ts'
import { installErrorHandler } from './error-handler.ts'
import { sendBlob, writeDisposition } from './send-file.ts'

const SIZE = 8 * 1024 * 1024

test('a stored file', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-send-'))
  t.after(() => rm(root, { recursive: true }))
  const blobs = await openDiskStore(root)
  const bytes = Buffer.alloc(SIZE, 'proofdesk ')
  const path = blobs.temporaryPath()
  await writeFile(path, bytes)
  await blobs.putFile('big', path)
  const app = Fastify({ forceCloseConnections: true })
  const failures: string[] = []
  installErrorHandler(
    app,
    openLogger('info', (line) => failures.push(line)),
  )
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { size: SIZE, sha256, mediaType: 'application/pdf', disposition: 'inline' } as const
  app.get('/file', (request, reply) =>
    sendBlob(request, reply, blobs, { ...file, key: 'big', fileName: 'naïve "x".pdf' }),
  )
  app.get('/gone', (request, reply) => sendBlob(request, reply, blobs, { ...file, key: 'gone', fileName: 'x' }))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  const ask = (headers: Record<string, string> = {}) => app.inject({ url: '/file', headers })

  await t.test('comes whole, with its type, name, tag and the headers that keep it private', async () => {
    const answer = await ask()
    assert.equal(answer.statusCode, 200)
    assert.ok(answer.rawPayload.equals(bytes))
    assert.equal(Number(answer.headers['content-length']), SIZE)
    assert.equal(answer.headers['content-type'], 'application/pdf')
    assert.equal(answer.headers['cache-control'], 'private, no-cache')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(answer.headers.etag, `"${file.sha256}"`)
    assert.equal(
      answer.headers['content-disposition'],
      `inline; filename="naive _x_.pdf"; filename*=UTF-8''na%C3%AFve%20%22x%22.pdf`,
    )
  })

  await t.test('is not sent again to who has it', async () => {
    for (const tag of [`"${file.sha256}"`, `W/"${file.sha256}"`, `"other", "${file.sha256}"`, '*']) {
      const answer = await ask({ 'if-none-match': tag })
      assert.deepEqual([answer.statusCode, answer.body], [304, ''], tag)
    }
    for (const tag of ['"other"', `"other, ${file.sha256}"`, '"a,*,b"'])
      assert.equal((await ask({ 'if-none-match': tag })).statusCode, 200, tag)
  })

  await t.test('that somebody has is not said to have no bytes', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.inject({ method, url: '/file', headers: { 'if-none-match': `"${file.sha256}"` } })
      assert.deepEqual([answer.statusCode, answer.headers['content-length'], answer.body], [304, undefined, ''], method)
    }
  })

  await t.test('comes in the part asked for', async () => {
    const cases: [string, number, number][] = [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, SIZE - 1],
      ['bytes=-5', SIZE - 5, SIZE - 1],
      [`bytes=5-${SIZE * 2}`, 5, SIZE - 1],
    ]
    for (const [range, start, end] of cases) {
      const answer = await ask({ range })
      assert.equal(answer.statusCode, 206, range)
      assert.equal(answer.headers['content-range'], `bytes ${start}-${end}/${SIZE}`)
      assert.ok(answer.rawPayload.equals(bytes.subarray(start, end + 1)))
    }
    for (const range of [`bytes=${SIZE}-`, 'bytes=-0']) {
      const answer = await ask({ range })
      assert.equal(answer.statusCode, 416, range)
      assert.equal(answer.headers['content-range'], `bytes */${SIZE}`)
      assert.deepEqual(answer.json(), { code: 'range_outside_file', detail: 'This part lies outside the file.' })
      for (const name of ['content-disposition', 'etag', 'accept-ranges']) assert.equal(answer.headers[name], undefined)
    }
    for (const range of ['bytes=9-1', 'bytes=-', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b'])
      assert.equal((await ask({ range })).statusCode, 200, range)
    assert.equal((await ask({ range: 'bytes=0-9', 'if-range': '"other"' })).statusCode, 200)
    assert.equal((await ask({ range: 'bytes=0-9', 'if-range': `"${file.sha256}"` })).statusCode, 206)
    // A piece of what may be another file would spoil what somebody has: only the very tag lets one out.
    for (const other of [`W/"${file.sha256}"`, `"x", "${file.sha256}"`, '*', 'Wed, 25 Nov 2026 09:00:00 GMT', ''])
      assert.equal((await ask({ range: 'bytes=0-9', 'if-range': other })).statusCode, 200, other)
  })

  await t.test('is not sent to who wants the one of another tag (RFC 9110, 13.1.1)', async () => {
    const tag = `"${file.sha256}"`
    for (const wanted of [tag, `"other", ${tag}`, '*']) {
      assert.equal((await ask({ 'if-match': wanted })).statusCode, 200, wanted)
      assert.equal((await ask({ 'if-match': wanted, range: 'bytes=0-9' })).statusCode, 206, wanted)
    }
    for (const wanted of ['"other"', `W/${tag}`])
      for (const more of [{}, { range: 'bytes=0-9' }, { 'if-none-match': tag }]) {
        const answer = await ask({ 'if-match': wanted, ...more })
        assert.equal(answer.statusCode, 412, wanted)
        assert.equal(answer.json().code, 'file_not_matching')
        for (const name of ['content-disposition', 'content-range']) assert.equal(answer.headers[name], undefined, name)
      }
    // Files carry no date, so what asks by one is not to be heard (13.1.3, 13.1.4).
    const date = 'Thu, 01 Jan 1970 00:00:00 GMT'
    for (const name of ['if-unmodified-since', 'if-modified-since'])
      assert.equal((await ask({ [name]: date })).statusCode, 200, name)
  })

  await t.test('tells its size to HEAD and sends nothing', async () => {
    const answer = await app.inject({ method: 'HEAD', url: '/file' })
    assert.deepEqual([answer.statusCode, Number(answer.headers['content-length']), answer.body], [200, SIZE, ''])
    // Parts are for GET alone (RFC 9110, 14.2).
    for (const range of ['bytes=0-9', `bytes=${SIZE}-`]) {
      const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/file', headers: { range } })
      assert.deepEqual(
        [statusCode, Number(headers['content-length']), headers['content-range']],
        [200, SIZE, undefined],
      )
    }
  })

  await t.test('that is missing in the store is told as missing, without the headers of a file', async () => {
    const answer = await app.inject({ url: '/gone' })
    assert.equal(answer.statusCode, 500)
    assert.equal(answer.json().code, 'file_missing')
    assert.equal(answer.headers['content-disposition'], undefined)
    assert.equal(answer.headers.etag, undefined)
  })

  await t.test(
    'is closed once when callers go away in the middle',
    { skip: process.platform !== 'linux' },
    async () => {
      const countOpen = async () => (await readdir('/proc/self/fd')).length
      const before = await countOpen()
      for (let i = 0; i < 40; i++) {
        await new Promise<void>((resolve) => {
          const request = get(`${url}/file`, (answer) => {
            answer.once('data', () => {
              request.destroy()
              resolve()
            })
          })
          request.on('error', () => {})
        })
      }
      let left = Number.POSITIVE_INFINITY
      for (let i = 0; i < 100 && left > before + 3; i++) {
        await pause(20)
        left = await countOpen()
      }
      assert.ok(left <= before + 3, `${left - before} descriptors are left open`)
      assert.ok((await ask()).rawPayload.equals(bytes))
      assert.deepEqual(
        failures.filter((line) => /EBADF|unexpected/.test(line)),
        [],
      )
    },
  )
})

test('a file name cannot leave its header', () => {
  assert.equal(
    writeDisposition('attachment', 'a\r\nX: y".pdf'),
    `attachment; filename="aX: y_.pdf"; filename*=UTF-8''a%0D%0AX%3A%20y%22.pdf`,
  )
  assert.equal(writeDisposition('inline', 'سند'), `inline; filename="file"; filename*=UTF-8''%D8%B3%D9%86%D8%AF`)
  assert.match(writeDisposition('inline', '\ud800'), /%EF%BF%BD$/)
  assert.equal(writeDisposition('inline', "it's (1)*.pdf").split("''")[1], 'it%27s%20%281%29%2A.pdf')
})
