import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { makeFormWithoutAppearance, makePdf, needJudge, runJudge } from '../testing.ts'
import { readDrawnWords } from '../testing/drawn-words.ts'
import { makeWithoutIdentifier } from '../testing/encrypt-rc4.ts'
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
