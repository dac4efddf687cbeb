import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBombPdf, makeProtectedPdf } from '@proofdesk/certify/testing'
import { API_BASE } from '@proofdesk/contract/route'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { openCollection } from '../../testing/collections.ts'
import { makePdf, makePng } from '../../testing/small-files.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'

interface Part {
  name: string
  fileName?: string
  type?: string
  value: Uint8Array | string
}

const BOUNDARY = 'proofdesk-boundary'

function writeForm(parts: Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const chunks = parts.flatMap(({ name, fileName, type, value }) => [
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"` +
        `${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n` +
        `${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(end)])
}

/** Everything a refused upload could leave behind. */
async function readTraces(server: TestServer) {
  await server.settle()
  const { db } = server.deps
  assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
  return {
    contents: await db.selectFrom('contents').select('id').execute(),
    collections: (await db.selectFrom('collections').selectAll().orderBy('id').execute()).map((row) => ({
      ...row,
      revision: 0,
    })),
    intents: await db.selectFrom('blob_intents').selectAll().execute(),
    files: await listStoredFiles(server),
  }
}

for (const engine of ENGINES) {
  test(`a refused upload says why and leaves nothing behind (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { maxUploadMb: 2 })
    const ada = await server.signIn('ada')
    const collection = String(await openCollection(ada))
    const before = await readTraces(server)
    const send = (
      payload: Buffer | string,
      contentType: string | undefined = `multipart/form-data; boundary=${BOUNDARY}`,
    ) =>
      server.inject({
        method: 'POST',
        url: `${API_BASE}/contents/`,
        headers: { authorization: `Bearer ${ada.access}`, ...(contentType && { 'content-type': contentType }) },
        payload,
      })
    const file = (value: Uint8Array | string, fileName = 'a.pdf'): Part => ({ name: 'file', fileName, value })
    const into: Part = { name: 'collection', value: collection }
    async function expectRefusal(what: string, answer: Awaited<ReturnType<typeof send>>, status: number, code: string) {
      assert.equal(answer.statusCode, status, `${what}: ${answer.body}`)
      const body = answer.json()
      assert.equal(body.code, code, `${what}: ${answer.body}`)
      assert.ok(Array.isArray(body.file) && typeof body.file[0] === 'string' && body.file[0] !== '', `${what}: file`)
      assert.equal(body.detail, body.file[0], what)
      assert.deepEqual(await readTraces(server), before, what)
    }

    await t.test('9.9 for what its bytes are', async () => {
      const pdf = makePdf(2)
      for (const [what, bytes, status, code] of [
        ['empty', '', 400, 'file_empty'],
        ['text', 'just some words', 415, 'file_unsupported_type'],
        ['a web page called PDF', '<!doctype html><script>1</script>', 415, 'file_unsupported_type'],
        ['a GIF', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'), 415, 'file_unsupported_type'],
        ['a PDF behind something else', Buffer.concat([Buffer.from('GIF89a\n'), pdf]), 400, 'file_header_not_at_start'],
        ['half a PNG', makePng().subarray(0, 50), 400, 'file_truncated'],
        ['only the head of a PDF', pdf.subarray(0, 60), 400, 'file_truncated'],
        ['a PDF of nothing', '%PDF-1.7\ngarbage\n%%EOF\n', 400, 'file_unreadable'],
        ['a PDF without pages', makePdf(0), 400, 'file_no_pages'],
      ] as const)
        await expectRefusal(what, await send(writeForm([into, file(bytes)])), status, code)
    })

    await t.test('for a password on it, unless it opens without', async () => {
      const shut = await makeProtectedPdf({ user: 'secret', owner: 'owner' })
      await expectRefusal('password', await send(writeForm([into, file(shut)])), 400, 'file_password_protected')
      const taken = await send(writeForm([into, file(await makeProtectedPdf({ owner: 'owner' }))]))
      assert.equal(taken.statusCode, 201, taken.body)
      assert.equal((await ada.delete(`/contents/${taken.json().id}/`)).status, 204)
    })

    await t.test('for unpacking to far more than its size', async () => {
      await expectRefusal('bomb', await send(writeForm([into, file(makeBombPdf())])), 400, 'file_decompression_bomb')
    })

    await t.test(
      'for its title, its type of title or its collection, whether they come before or after it',
      async () => {
        for (const [what, parts, field] of [
          [
            'blank',
            [
              { name: 'title_type', value: 'OTHER' },
              { name: 'title', value: '  ' },
            ],
            'title',
          ],
          ['missing', [{ name: 'title_type', value: 'OTHER' }], 'title'],
          [
            'too long',
            [
              { name: 'title_type', value: 'OTHER' },
              { name: 'title', value: 'x'.repeat(21) },
            ],
            'title',
          ],
          [
            'huge',
            [
              { name: 'title_type', value: 'OTHER' },
              { name: 'title', value: 'x'.repeat(60_000) },
            ],
            'title',
          ],
          ['no such type', [{ name: 'title_type', value: 'TYPE3' }], 'title_type'],
          [
            'NUL',
            [
              { name: 'title_type', value: 'OTHER' },
              { name: 'title', value: 'a\u0000b' },
            ],
            'title',
          ],
        ] as [string, Part[], string][])
          for (const form of [
            [into, ...parts, file(makePdf())],
            [file(makePdf()), ...parts, into],
          ]) {
            const answer = await send(writeForm(form))
            await expectRefusal(what, answer, 400, 'invalid')
            assert.ok(answer.json()[field]?.[0], what)
          }
        for (const value of ['', '0', 'x', '9007199254740993', '1 or 1=1'])
          await expectRefusal(
            value,
            await send(writeForm([{ name: 'collection', value }, file(makePdf())])),
            400,
            'invalid',
          )
        await expectRefusal('no collection', await send(writeForm([file(makePdf())])), 400, 'invalid')
      },
    )

    await t.test('7.33 for the shape of its form', async () => {
      const many = Array.from({ length: 30 }, (_, n): Part => ({ name: `extra${n}`, value: 'x' }))
      const pdf = makePdf()
      for (const [what, payload, status, code] of [
        ['no parts', writeForm([]), 400, 'file_required'],
        ['no body', '', 400, 'file_required'],
        ['no file', writeForm([into]), 400, 'file_required'],
        [
          'nothing chosen',
          writeForm([into, { ...file('', ''), type: 'application/octet-stream' }]),
          400,
          'file_required',
        ],
        ['file as text', writeForm([into, { name: 'file', value: pdf }]), 400, 'file_required'],
        ['under another name', writeForm([into, { ...file(pdf), name: 'document' }]), 400, 'file_required'],
        ['two files', writeForm([into, file(pdf), file(pdf)]), 400, 'file_only_one'],
        [
          'files nobody asked for',
          writeForm([into, ...many.slice(0, 5).map((part) => ({ ...file(pdf), name: part.name })), file(pdf)]),
          400,
          'file_only_one',
        ],
        ['too many fields', writeForm([into, ...many.slice(0, 10), file(pdf)]), 400, 'invalid'],
        ['far too many fields', writeForm([into, ...many, file(pdf)]), 400, 'invalid'],
        ['a prototype', writeForm([into, { name: '__proto__', value: 'x' }, file(pdf)]), 400, 'invalid'],
        ['broken off in the file', writeForm([into, file(pdf)], '').subarray(0, -200), 400, 'upload_interrupted'],
        ['broken off in a field', writeForm([file(pdf), into], '').subarray(0, -3), 400, 'upload_interrupted'],
        ['no boundary in it', Buffer.from('hello'), 400, 'upload_interrupted'],
        ['a name of marks alone', writeForm([into, file(pdf, '\u202e\u200f\u200d')]), 400, 'file_name_invalid'],
      ] as const)
        await expectRefusal(what, await send(payload), status, code)
      const crowded = await send(writeForm([into, ...many, file(pdf)]))
      assert.equal(crowded.json().detail, 'A form holds one file and at most 10 fields beside it.')
    })

    await t.test('for a field that stands in its form twice: which was meant is anybody’s guess', async () => {
      const title: Part = { name: 'title', value: 'Diploma' }
      for (const [field, parts] of [
        ['collection', [into, into, file(makePdf())]],
        ['collection', [into, file(makePdf()), { ...into, value: '1' }]],
        ['title', [into, title, { ...title, value: 'Degree' }, file(makePdf())]],
        ['extra', [into, { name: 'extra', value: 'x' }, { name: 'extra', value: '' }, file(makePdf())]],
      ] as [string, Part[]][]) {
        const answer = await send(writeForm(parts))
        await expectRefusal(field, answer, 400, 'invalid')
        assert.deepEqual(answer.json()[field], ['Give this only once.'])
      }
    })

    await t.test('for a field that is not UTF-8, as JSON that is not', async () => {
      const other: Part = { name: 'title_type', value: 'OTHER' }
      for (const [what, value] of [
        ['Latin-1', Buffer.from('Zeugnis für Ada', 'latin1')],
        ['a letter cut apart', Buffer.from('é').subarray(0, 1)],
        ['half of a pair', Buffer.from([0xed, 0xa0, 0x80])],
      ] as const)
        for (const type of [undefined, 'text/plain; charset=utf-8']) {
          const title: Part = { name: 'title', value, ...(type !== undefined && { type }) }
          const answer = await send(writeForm([into, other, title, file(makePdf())]))
          await expectRefusal(what, answer, 400, 'invalid')
          assert.deepEqual(answer.json().title, ['Some of this cannot be read. Please send it in UTF-8.'], what)
        }
      // What names its coding, as it may (RFC 7578, section 5.1), is read by it.
      const named: Part = { name: 'title', value: Buffer.from('für', 'latin1'), type: 'text/plain; charset=iso-8859-1' }
      const taken = await send(writeForm([into, other, named, file(makePdf())]))
      assert.equal(taken.statusCode, 201, taken.body)
      assert.equal(taken.json().title, 'für')
      assert.equal((await ada.delete(`/contents/${taken.json().id}/`)).status, 204)
    })

    await t.test('for being no form at all', async () => {
      const form = writeForm([into, file(makePdf())])
      for (const type of [
        'application/json',
        'text/plain',
        'application/pdf',
        'application/x-www-form-urlencoded',
        'x/y',
        'nonsense',
      ])
        await expectRefusal(type, await send(form, type), 415, 'unsupported_media_type')
      await expectRefusal('none', await send(form, ''), 415, 'unsupported_media_type')
      await expectRefusal('no boundary', await send(form, 'multipart/form-data'), 400, 'invalid')
    })

    await t.test('for its size, which is stated, and not one byte earlier', async () => {
      const limit = 2 * 1024 * 1024
      const exact = Buffer.concat([makePdf(1, 'Large', limit - 2000)])
      const padded = Buffer.concat([exact, Buffer.alloc(limit - exact.length, '\n')])
      assert.equal(padded.length, limit)
      const over = await send(writeForm([into, file(Buffer.concat([padded, Buffer.from('\n')]))]))
      await expectRefusal('one byte over', over, 413, 'file_too_large')
      assert.match(over.json().detail, /\b2 MB\b/)
      await expectRefusal(
        'far over',
        await send(writeForm([file(Buffer.alloc(5 * limit, 'x')), into])),
        413,
        'file_too_large',
      )
      const other = { name: 'picture', fileName: 'a.bin', value: Buffer.alloc(limit + 1) }
      for (const parts of [
        [into, other, file(makePdf(1))],
        [into, file(makePdf(1)), other],
      ]) {
        const refused = await send(writeForm(parts))
        await expectRefusal('a part that is not asked for', refused, 413, 'file_too_large')
        assert.match(refused.json().detail, /\b2 MB\b/)
      }
      const taken = await send(writeForm([into, file(padded)]))
      assert.equal(taken.statusCode, 201, taken.body)
      assert.equal((await ada.delete(`/contents/${taken.json().id}/`)).status, 204)
      await server.settle()
      assert.deepEqual((await readTraces(server)).files, before.files)
    })
  })
}
