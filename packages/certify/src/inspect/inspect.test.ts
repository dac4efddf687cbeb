import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import test, { after, before } from 'node:test'
import type { CertifyError } from '../errors.ts'
import { type CertifyPool, openCertifyPool } from '../pool.ts'
import {
  expectWithin,
  makeBombPdf,
  makeJpeg,
  makeLargePdf,
  makePdf,
  makePixelBomb,
  makePng,
  makeProtectedPdf,
  makeTruncatedImage,
  makeTruncatedPdf,
  needJudge,
  runJudge,
  PATIENT,
} from '../testing.ts'
import {
  makeBadPrev,
  makeNestedBomb,
  makeNoPages,
  makeOnePage,
  makePageLoop,
  makeReferenceChain,
} from '../testing/odd-pdfs.ts'
import { withImage } from '../testing/ambiguous-file.ts'
import { deflateZeros } from '../testing/hostile/inflating-data.ts'
import { PNG_END, PNG_SIGNATURE, writeChunk, writeHeader, writeRawPng } from '../testing/raw-png.ts'
import { readResidentMemory } from '../processes/resident-memory.ts'
import type { Inspection } from '../types.ts'

let folder: string
let pool: CertifyPool

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certify-inspect-'))
  pool = openCertifyPool({ keysDir: folder, threads: 1, limits: PATIENT })
})
after(async () => {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
})

async function inspectBytes(bytes: Uint8Array, maxPages = 2000): Promise<Inspection> {
  const path = join(folder, 'upload')
  await writeFile(path, bytes)
  return pool.inspect(path, { maxPages })
}

const refusal = (reason: string): unknown => ({ ok: false, reason })

test('A file’s type is what its bytes say: PDF with its pages, JPEG and PNG with one', async () => {
  assert.deepEqual(await inspectBytes(makePdf({ pages: 3 })), { ok: true, type: 'PDF', pages: 3, isPictured: false })
  assert.deepEqual(await inspectBytes(await makeJpeg()), { ok: true, type: 'JPEG', pages: 1, isPictured: false })
  assert.deepEqual(await inspectBytes(await makePng()), { ok: true, type: 'PNG', pages: 1, isPictured: false })
})

test('A PDF that a drawing program saved with private data of its own is a PDF', async () => {
  const bytes = makeOnePage({ page: '/PieceInfo << /Illustrator << /Private << /AIPrivateData1 (x) >> >> >>' })
  assert.deepEqual(await inspectBytes(bytes), { ok: true, type: 'PDF', pages: 1, isPictured: false })
})

test('Every kind of JPEG and PNG that cameras and programs write is taken', async () => {
  for (const kind of ['rgb', 'grey', 'cmyk', 'progressive'] as const) {
    assert.equal((await inspectBytes(await makeJpeg({ kind }))).ok, true, kind)
  }
  for (const kind of ['rgb', 'alpha', 'palette', 'grey', '16bit', '16bit-alpha', 'interlaced'] as const) {
    assert.equal((await inspectBytes(await makePng({ kind }))).ok, true, kind)
  }
})

test('An empty file is refused as empty', async () => {
  assert.deepEqual(await inspectBytes(new Uint8Array()), refusal('empty'))
})

test('Anything but PDF, JPEG, PNG is refused, whatever it calls itself', async () => {
  for (const text of [
    'plain text',
    '<html><body>%PD',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'GIF89a.........',
    'PK\x03\x04',
  ]) {
    assert.deepEqual(await inspectBytes(Buffer.from(text, 'latin1')), refusal('unsupported_type'), text)
  }
})

test('A PDF header behind anything but a byte-order mark and blanks is refused: such a file can be two things at once', async () => {
  const pdf = makePdf()
  const marks = [
    '\xff\xfe',
    '\xfe\xff',
    '\xef\xbb',
    '\n\xef\xbb\xbf',
    '\xef\xbb\xbf\xef\xbb\xbf',
    '\x0b',
    '\x85',
    '\xa0',
  ]
  // a null is no blank here: formats of boxes and chunks begin with some
  const leads = ['x'.repeat(900), '\0', '\n\0', '\0\0\0 ', '<', ' <!--', '%!PS-Adobe-3.0\n', '#!/bin/sh\n', ...marks]
  for (const lead of [...leads, ' '.repeat(1001)]) {
    const verdict = await inspectBytes(Buffer.concat([Buffer.from(lead, 'latin1'), pdf]))
    assert.deepEqual(verdict, refusal('header_not_at_start'), JSON.stringify(lead.slice(0, 20)))
  }
})

test('Marks and tags of other formats before the header, which sniffers skip, are refused too', async () => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  const tag = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x0a', 'latin1'), Buffer.alloc(10)])
  for (const [file, prefixes] of [
    [makePdf(), [tag, Buffer.concat([mark, tag])]],
    [await makeJpeg(), [mark, tag, Buffer.from('\n')]],
    [await makePng(), [mark, tag, Buffer.from('\n')]],
  ] as const) {
    for (const prefix of prefixes) {
      const verdict = await inspectBytes(Buffer.concat([prefix, file]))
      assert.ok(!verdict.ok && ['header_not_at_start', 'unsupported_type'].includes(verdict.reason))
    }
  }
})

test('A PDF that needs a password is refused as password-protected, not taken as blank pages', async () => {
  assert.deepEqual(await inspectBytes(await makeProtectedPdf({ user: 'secret' })), refusal('password_protected'))
})

test('A PDF with an owner password alone opens for everybody and is taken', async () => {
  assert.deepEqual(await inspectBytes(await makeProtectedPdf({ owner: 'secret' })), {
    ok: true,
    type: 'PDF',
    pages: 2,
    isPictured: false,
  })
})

test('An encrypted PDF with object streams is read: the bound on inflating holds behind the encryption', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const plain = join(folder, 'plain.pdf')
  const sealed = join(folder, 'encrypted.pdf')
  await writeFile(plain, makePdf({ pages: 40 }))
  await runJudge('qpdf', '--object-streams=generate', '--encrypt', '', 'owner', '256', '--', plain, sealed)
  assert.deepEqual(await pool.inspect(sealed, { maxPages: 2000 }), {
    ok: true,
    type: 'PDF',
    pages: 40,
    isPictured: false,
  })
})

test('An encrypted PDF whose table is broken is refused: its text would come out garbled', async () => {
  const bytes = await makeProtectedPdf({ owner: 'secret' })
  bytes.write('startxxxx', bytes.lastIndexOf('startxref'))
  bytes.write('xxxx', bytes.lastIndexOf('xref\n'))
  assert.deepEqual(await inspectBytes(bytes), refusal('unreadable'))
})

test('Truncated files are refused as truncated', async () => {
  assert.deepEqual(await inspectBytes(makeTruncatedPdf()), refusal('truncated'))
  assert.deepEqual(await inspectBytes(makePdf({ pages: 9 }).subarray(0, 2000)), refusal('truncated'))
  assert.deepEqual(await inspectBytes(Buffer.from('%PDF-1.7\n')), refusal('truncated'))
  assert.deepEqual(await inspectBytes(await makeTruncatedImage('JPEG')), refusal('truncated'))
  assert.deepEqual(await inspectBytes(await makeTruncatedImage('PNG')), refusal('truncated'))
  assert.deepEqual(await inspectBytes((await makeJpeg()).subarray(0, -2)), refusal('truncated'))
  assert.deepEqual(await inspectBytes((await makePng()).subarray(0, -12)), refusal('truncated'))
})

test('An image with damaged pixels is refused, although its header and its end are right', async () => {
  const png = Buffer.from(await makePng({ width: 900, height: 900 }))
  png.fill(0, Math.floor(png.length / 2), Math.floor(png.length / 2) + 40)
  const verdict = await inspectBytes(png)
  assert.equal(verdict.ok, false)
})

test('A PDF without pages, and one whose page tree contains itself, have no pages', async () => {
  assert.deepEqual(await inspectBytes(makeNoPages()), refusal('no_pages'))
  assert.deepEqual(await inspectBytes(makePageLoop()), refusal('no_pages'))
})

test('A PDF with more pages than are allowed is refused, with as many it is taken', async () => {
  assert.deepEqual(await inspectBytes(makePdf({ pages: 12 }), 11), refusal('too_many_pages'))
  assert.equal((await inspectBytes(makePdf({ pages: 12 }), 12)).ok, true)
})

test('A damaged PDF is refused as unreadable', async () => {
  const junk = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4000, 'z'), Buffer.from('\n%%EOF\n')])
  assert.deepEqual(await inspectBytes(junk), refusal('unreadable'))
})

test('Pitfall 3: a /Prev that misses the table by a byte does not cost the pages', async () => {
  assert.deepEqual(await inspectBytes(makeBadPrev()), { ok: true, type: 'PDF', pages: 1, isPictured: false })
})

test('Pitfall 2: 1 MB that would become 1 GB is refused at once and without taking the memory', async () => {
  const bytes = makeBombPdf()
  assert.ok(bytes.length < 1_200_000)
  await inspectBytes(makePdf())
  const [processId] = pool.processIds()
  const idleBytes = readResidentMemory(processId!)
  const start = performance.now()
  assert.deepEqual(await inspectBytes(bytes), refusal('decompression_bomb'))
  expectWithin(performance.now() - start, 2000, 'refusing')
  const grown = (readResidentMemory(processId!) ?? 0) - (idleBytes ?? 0)
  assert.ok(grown < 150 << 20, `grown by ${grown} bytes`)
})

test('A bomb inside a bomb, with a chain of filters, is refused by its worst case', async () => {
  assert.deepEqual(await inspectBytes(makeNestedBomb()), refusal('decompression_bomb'))
})

test('An image of run lengths inside deflate is no bomb: what it becomes is counted', async () => {
  // two runs of 128 different bytes
  const row = (number: number): Buffer => {
    const run = Buffer.from(Array.from({ length: 128 }, (_, i) => (number * 7919 + i * i * 104_729) & 255))
    return Buffer.concat([Buffer.of(127), run, Buffer.of(127), run])
  }
  const packed = (rows: number): Buffer =>
    withImage(
      `/Width 2048 /Height ${rows} /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter [/FlateDecode /RunLengthDecode]`,
      deflateSync(Buffer.concat([...Array.from({ length: rows }, (_, number) => row(number)), Buffer.of(128)])),
    )
  assert.deepEqual(await inspectBytes(packed(2048)), { ok: true, type: 'PDF', pages: 1, isPictured: false })
  const zeros = deflateSync(Buffer.concat([Buffer.alloc(2 << 20, Buffer.of(0x81, 0)), Buffer.of(128)]))
  const bomb = withImage(
    '/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter [/FlateDecode /RunLengthDecode]',
    zeros,
  )
  assert.deepEqual(await inspectBytes(bomb), refusal('decompression_bomb'))
})

test('An image of too many pixels is refused before it is decoded', async () => {
  assert.deepEqual(await inspectBytes(await makePixelBomb()), refusal('image_too_large'))
})

/** A page that draws one image of zeros with these entries. */
function makePictured(entries: string, bits: number): Buffer {
  const data = deflateZeros(Math.ceil(bits / 8 / (1 << 20))).toString('latin1')
  const content = 'q 400 0 0 400 100 220 cm /Im Do Q'
  return makeOnePage({
    content,
    page: '/Resources << /XObject << /Im 6 0 R >> >>',
    more: [
      `<< /Type /XObject /Subtype /Image ${entries} /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`,
    ],
  })
}

test('An image in a PDF has at most as many pixels as the reader in the page draws', async () => {
  const taken = [
    ['/Width 10000 /Height 10000 /ColorSpace /DeviceGray /BitsPerComponent 1', 100e6],
    ['/Width 8200 /Height 8200 /ImageMask true', 8200 * 8200],
  ] as const
  for (const [entries, bits] of taken) {
    assert.deepEqual(
      await inspectBytes(makePictured(entries, bits)),
      { ok: true, type: 'PDF', pages: 1, isPictured: false },
      entries,
    )
  }
  const refused = [
    '/Width 10001 /Height 10000 /ColorSpace /DeviceGray /BitsPerComponent 1',
    '/Width 10001 /Height 10000 /ImageMask true',
    '/Width 100000001 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 1',
  ]
  for (const entries of refused) {
    assert.deepEqual(await inspectBytes(makePictured(entries, 101e6)), refusal('image_too_large'), entries)
  }
})

test('A PDF with an image that says its size twice is kept as pictures: readers would not agree', async () => {
  const pictured = { ok: true, type: 'PDF', pages: 1, isPictured: true }
  const entries = '/Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8'
  for (const double of ['/W 20000', '/H 20000', '/D [1 0]', '/CS /DeviceCMYK', '/IM true', '/BPC 1']) {
    assert.deepEqual(await inspectBytes(makePictured(`${entries} ${double}`, 512)), pictured, double)
  }
})

test('An image among the operators of a page has at most as many pixels, however it is written', async () => {
  const draw = (entries: string) => `q 400 0 0 400 100 220 cm BI ${entries} ID \x80\x00 EI Q`
  const rest = '/BPC 1 /CS /G /F /LZW'
  // it has no data for so many
  assert.deepEqual(
    await inspectBytes(makeOnePage({ content: draw(`/W 10000 /H 10000 ${rest}`) })),
    refusal('ambiguous'),
  )
  for (const size of [
    '/W 10001 /H 10000',
    '/Width 10001 /Height 10000',
    '/W 5 /H 5 /W 10001 /H 10000',
    '/W 1 /Width 10001 /H 10000',
    '/#57 10001/Heigh#74 10000',
    '/W%a comment\n10001 /H\0+10000.0',
    '/W 2E4 /H 2E4',
    '/W 10-001 /H 10000',
  ]) {
    const bytes = makeOnePage({ content: draw(`${size} ${rest}`) })
    assert.deepEqual(await inspectBytes(bytes), refusal('image_too_large'), size)
  }
  const inForm = makeOnePage({
    content: '/Fm Do',
    page: '/Resources << /XObject << /Fm 6 0 R >> >>',
    more: [makeForm(deflateSync(Buffer.from(draw(`/W 10001 /H 10000 ${rest}`), 'latin1')))],
  })
  assert.deepEqual(await inspectBytes(inForm), refusal('image_too_large'), 'packed in a form')
  const cut = makeOnePage({
    page: '/Contents [4 0 R 6 0 R]',
    content: 'BI /W 10001',
    more: [`<< /Length 40 >>\nstream\n${`/H 10000 ${rest} ID \x80\x00 EI`.padEnd(40)}\nendstream`],
  })
  assert.deepEqual(await inspectBytes(cut), refusal('image_too_large'), 'cut in two')
})

function makeForm(data: Buffer): string {
  return `<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
}

test('Words about sizes that no image has are words', async () => {
  const content = 'BT /F1 24 Tf 60 740 Td (BI /W 9 ID) Tj ET /W 90000 DP'
  assert.equal((await inspectBytes(makeOnePage({ content }))).ok, true)
  const letters = 'q BI /W 4 /H 4 /BPC 8 /CS /G /F /A85 ID 5sd/W9,77/H0e7<8P2WL9~> EI Q'
  assert.equal((await inspectBytes(makeOnePage({ content: letters }))).ok, true)
})

test('A PNG with a wrong checksum is refused as such, not as one without its end', async () => {
  const rows = deflateSync(Buffer.alloc(16 * 17))
  const head = { width: 16, height: 16 }
  const [start, end] = [PNG_SIGNATURE, PNG_END]
  const wrong = [
    Buffer.concat([start, writeHeader(head), writeChunk('IDAT', rows, 1), end]),
    Buffer.concat([start, writeHeader(head).fill(0, 21), writeChunk('IDAT', rows), end]),
    writeRawPng({ ...head, colourType: 3 }, rows, [writeChunk('PLTE', Buffer.from([1, 2, 3]), 1)]),
    damagePixels(await makePng({ width: 900, height: 900 })),
  ]
  for (const [i, bytes] of wrong.entries())
    assert.deepEqual(await inspectBytes(bytes), refusal('checksum_wrong'), `${i}`)
  const right = writeRawPng(head, rows)
  assert.equal((await inspectBytes(right)).ok, true)
  assert.deepEqual(await inspectBytes(right.subarray(0, -20)), refusal('truncated'))
  // a text nobody draws may be damaged, as in browsers
  assert.equal((await inspectBytes(writeRawPng(head, rows, [writeChunk('tEXt', Buffer.from('a\0b'), 1)]))).ok, true)
})

function damagePixels(png: Buffer): Buffer {
  const bytes = Buffer.from(png)
  return bytes.fill(0x55, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40)
}

test('A chain of 30,000 references does not end the parser', async () => {
  assert.deepEqual(await inspectBytes(makeReferenceChain(30_000)), {
    ok: true,
    type: 'PDF',
    pages: 1,
    isPictured: false,
  })
})

test('Objects nested 5,000 deep are refused, not crashed on', async () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const verdict = await inspectBytes(makeOnePage({ page: `/Odd ${deep}` }))
  assert.equal(verdict.ok, false)
})

test('Damaged bytes behind a PDF header get an answer within the deadline, whatever they do to the parser', async () => {
  const impatient = openCertifyPool({ keysDir: folder, threads: 1, limits: { inspectDeadlineMs: 1000 } })
  try {
    for (let seed = 1; seed <= 20; seed++) {
      const bytes = Buffer.from(makePdf({ pages: 2 }))
      for (let i = 0; i < 30; i++) {
        bytes[9 + ((seed * 7919 + i * 104_729) % (bytes.length - 9))] = (seed * 31 + i * 17) & 255
      }
      const path = join(folder, 'damaged')
      await writeFile(path, bytes)
      const answer = await impatient.inspect(path, { maxPages: 10 }).catch(({ code }: CertifyError) => ({ ok: code }))
      assert.ok([true, false, 'crowded'].includes(answer.ok), 'crowded on a busy machine')
    }
  } finally {
    await impatient.close()
  }
})

test('A stored upload that cannot be opened is an error of ours, not of the file', async () => {
  await assert.rejects(pool.inspect(join(folder, 'missing'), { maxPages: 1 }), { code: 'file_unreadable' })
})

test('A PDF of 8 MB is inspected in well under a second', async () => {
  const start = performance.now()
  assert.equal((await inspectBytes(makeLargePdf(8e6))).ok, true)
  expectWithin(performance.now() - start, 1500, 'inspecting')
})
