import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { makeFormWithoutAppearance, makePdf, needJudge, runJudge } from '../testing.ts'
import { readDrawnWords } from '../testing/drawn-words.ts'
import { makeWithoutIdentifier } from '../testing/encrypt-rc4.ts'
import { writeRawPdf } from '../testing/raw-pdf.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** Encrypted with the empty user password; strings and streams in plain syntax, so that they can be changed. */
async function encrypt(bytes: Uint8Array, bits: string, ...options: string[]): Promise<string> {
  const [plain, sealed] = [join(workshop.folder, 'plain.pdf'), join(workshop.folder, 'sealed.pdf')]
  await writeFile(plain, bytes)
  const encryption = ['--encrypt', '', 'owner', bits, ...options, '--']
  const { code } = await runJudge(
    'qpdf',
    '--static-aes-iv',
    '--allow-weak-crypto',
    '--object-streams=disable',
    ...encryption,
    plain,
    sealed,
  )
  assert.equal(code, 0)
  return readFile(sealed, 'latin1')
}

/** Changes the encryption dictionary, which qpdf writes last, so that no object moves. */
function changeEncryption(file: string, from: RegExp, to: (found: string) => string): Buffer {
  const at = file.lastIndexOf(' obj\n')
  const last = file.slice(at)
  assert.match(last, from)
  const changed = file.slice(0, at) + last.replace(from, to)
  const table = changed.lastIndexOf('\nxref\n') + 1
  return Buffer.from(changed.replace(/startxref\n\d+/, `startxref\n${table}`), 'latin1')
}

/** The words of the copy's pages. */
async function readCopy(bytes: Uint8Array): Promise<string> {
  const { path } = await workshop.prepare([await workshop.addOriginal(bytes, 'PDF')])
  return (await runJudge('pdftotext', path, '-')).text
}

test('Permissions that are written as an unsigned number do not make a file ask for a password', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  for (const [bits, ...options] of [['40'], ['128', '--use-aes=y'], ['256']]) {
    const file = await encrypt(makePdf({ text: 'Original words' }), bits!, ...options)
    const unsigned = changeEncryption(file, /\/P -\d+/, (found) => `/P ${2 ** 32 + Number(found.slice(3))}`)
    assert.deepEqual(await workshop.inspect(unsigned), { ok: true, type: 'PDF', pages: 1, isPictured: false }, bits)
    assert.match(await readCopy(unsigned), /Original words 1/)
  }
})

test('A key whose length only the crypt filter tells, or nothing, is found', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  const file = await encrypt(makePdf({ text: 'Original words' }), '128', '--use-aes=y')
  const lengths = [/ \/Length 128(?= )/g, / \/Length \d+(?= )/g]
  for (const length of lengths) {
    const silent = changeEncryption(file, length, () => '')
    assert.deepEqual(await workshop.inspect(silent), { ok: true, type: 'PDF', pages: 1, isPictured: false })
    assert.match(await readCopy(silent), /Original words 1/)
  }
})

test('An empty string in an encrypted file costs none of the words beside it', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  const form = makeFormWithoutAppearance().toString('latin1').replace('/Ff 1 /F 4', '/F 4/TU(x)')
  for (const [bits, ...options] of [['128', '--use-aes=y'], ['256']]) {
    const file = await encrypt(Buffer.from(form, 'latin1'), bits!, ...options)
    const string = /\/TU (<[0-9a-f]+>|\((?:[^\\()]|\\[^])*\))/
    assert.match(file, string)
    const empty = Buffer.from(
      file.replace(string, (found) => '/TU ()'.padEnd(found.length)),
      'latin1',
    )
    assert.match(await readCopy(empty), /Ada Lovelace/)
  }
})

test('A file that needs a password is still refused', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const plain = join(workshop.folder, 'plain.pdf')
  const sealed = join(workshop.folder, 'sealed.pdf')
  await writeFile(plain, makePdf())
  await runJudge('qpdf', '--object-streams=disable', '--encrypt', 'user', 'owner', '256', '--', plain, sealed)
  const unsigned = changeEncryption(
    await readFile(sealed, 'latin1'),
    /\/P -\d+/,
    (found) => `/P ${2 ** 32 + Number(found.slice(3))}`,
  )
  assert.deepEqual(await workshop.inspect(unsigned), { ok: false, reason: 'password_protected' })
})

test('A file without an identifier opens as in other readers; one with an odd identifier does not', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  for (const id of ['', '/ID []', '/ID [<> <>]']) {
    const file = makeWithoutIdentifier(id)
    assert.deepEqual(await workshop.inspect(file), { ok: true, type: 'PDF', pages: 1, isPictured: false }, id)
    assert.match(await readCopy(file), /Original words/)
    assert.deepEqual(await readDrawnWords(file), ['Original words'])
  }
  for (const id of ['/ID [<0102> <0102>]', '/ID [1 2]', '/ID 1']) {
    const other = makeWithoutIdentifier(id)
    assert.deepEqual(await workshop.inspect(other), { ok: false, reason: 'password_protected' }, id)
  }
})

test('An encrypted file whose table of objects points beside them is read where nothing is left to choose', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  for (const [bits, ...options] of [['40'], ['128', '--use-aes=y'], ['256']]) {
    const file = await encrypt(makePdf({ text: 'Original words' }), bits!, ...options)
    const moved = (by: string): Buffer => Buffer.from(file.replace('\n1 0 obj', `\n${by}\n1 0 obj`), 'latin1')
    const beside = moved('% a mark that a program for text left')
    assert.deepEqual(await workshop.inspect(beside), { ok: true, type: 'PDF', pages: 1, isPictured: false }, bits)
    assert.match(await readCopy(beside), /Original words 1/)
    assert.deepEqual(await readDrawnWords(beside), ['Original words 1'])
    const unreadable = { ok: false, reason: 'unreadable' }
    const page = /\d+ 0 obj\n<<[^>]*\/MediaBox[^]*?endobj\n/.exec(file)![0]
    for (const twice of [
      page,
      'trailer << /Size 1 >>',
      'xref\n0 0',
      '90 0 obj\nnull\nendobj',
      'startxref\n0',
      '% 91 0 obj',
    ]) {
      assert.deepEqual(await workshop.inspect(moved(twice)), unreadable, twice)
    }
  }
})

/** Whatever the password is, it is not the empty one. @param content As it stands in the file. */
function makeLockedAttachment(
  filters: string,
  content = 'BT /F1 12 Tf 20 20 Td (Original words) Tj ET',
  entries = '',
): Buffer {
  const [long, short] = ['5a'.repeat(48), '5a'.repeat(32)]
  return writeRawPdf(
    [
      '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.txt) 6 0 R] >> >> >>',
      '<< /Type /Pages /Count 1 /Kids [5 0 R] /MediaBox [0 0 200 200] /Resources << /Font << /F1 4 0 R >> >> >>',
      `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>',
      '<< /Type /Filespec /F (a.txt) /EF << /F 7 0 R >> >>',
      `<< /Type /EmbeddedFile /Length 32 >>\nstream\n${'\x5a'.repeat(32)}\nendstream`,
      `<< /Filter /Standard ${filters} /R 6 /Length 256 /P -4 /O <${long}> /U <${long}> /OE <${short}> /UE <${short}> /Perms <${'5a'.repeat(16)}> /EncryptMetadata false /EFF /StdCF >>`,
    ],
    { version: '2.0', trailer: `/Encrypt 8 0 R /ID [<${short}> <${short}>]` },
  )
}

test('A file whose attachments alone need a password is taken, without them, as all readers open it; any other is refused', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const crypt = '/CF << /StdCF << /CFM /AESV3 /AuthEvent /EFOpen /Length 32 >> >>'
  const open = '/StmF /Identity /StrF /Identity'
  const file = makeLockedAttachment(`/V 5 ${crypt} ${open}`)
  assert.deepEqual(await workshop.inspect(file), { ok: true, type: 'PDF', pages: 1, isPictured: false })
  assert.match(await readCopy(file), /Original words/)
  assert.deepEqual(await readDrawnWords(file), ['Original words'])
  const { path } = await workshop.prepare([await workshop.addOriginal(file, 'PDF')])
  assert.doesNotMatch(await readFile(path, 'latin1'), /EmbeddedFile|Encrypt/)
  const locked = { ok: false, reason: 'password_protected' }
  for (const filters of [
    `/V 5 ${crypt} /StmF /StdCF /StrF /Identity`,
    `/V 5 ${crypt} /StmF /Identity /StrF /StdCF`,
    `/V 5 ${crypt} /StmF /StdCF /StrF /StdCF`,
    `/V 5 ${crypt} /StmF /Identity`,
    `/V 5 ${crypt} ${open.replaceAll('Identity', 'Other')}`,
    `/V 5 ${crypt.replace('/CF <<', '/CF << /Identity << /CFM /AESV3 /Length 32 >>')} ${open}`,
  ])
    assert.deepEqual(await workshop.inspect(makeLockedAttachment(filters)), locked, filters)
})

test('Content that says by itself that it is encrypted is not taken for what stands there', async () => {
  const filters =
    '/V 5 /CF << /StdCF << /CFM /AESV3 /AuthEvent /EFOpen /Length 32 >> >> /StmF /Identity /StrF /Identity'
  const words = 'BT /F1 12 Tf 20 20 Td (Original words) Tj ET'
  for (const entries of [
    '/Filter /Crypt /DecodeParms << /Name /StdCF >>',
    '/Filter [/Crypt] /DecodeParms [<< /Type /CryptFilterDecodeParms /Name /StdCF >>]',
    '/Filter /Crypt',
  ]) {
    const { ok } = await workshop.inspect(makeLockedAttachment(filters, words, entries))
    assert.equal(ok, false, entries)
  }
})
