import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from '../testing.ts'
import { readDrawnWords } from '../testing/drawn-words.ts'
import { makeForm } from '../testing/form-fields.ts'
import { makeOnePage } from '../testing/odd-pdfs.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** Names that say something elsewhere: actions, files, layers, trees, kinds. */
const NAMES =
  'AA AF EF JS JavaScript XFA OC OCProperties PieceInfo StructParent F Filter S Type Subtype Rect Parent A'.split(' ')

const stream = (content: string, entries = ''): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`
const draw = (words: string): string =>
  stream(
    `BT /Helv 14 Tf 2 6 Td (${words}) Tj ET`,
    '/Type /XObject /Subtype /Form /BBox [0 0 340 24] /Resources << /Font << /Helv 5 0 R >> >>',
  )

async function readSealed(bytes: Uint8Array): Promise<{ drawn: string; printed: string; source: string }> {
  assert.deepEqual(await workshop.inspect(bytes), { ok: true, type: 'PDF', pages: 1, isPictured: false })
  const { path, prepared } = await workshop.certify([await workshop.addOriginal(bytes, 'PDF')])
  assert.deepEqual(prepared.originals[0]!.removed, [])
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  const { text: printed } = await runJudge('pdftotext', '-f', '2', '-l', '2', path, '-')
  const { text: source } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  return { drawn: (await readDrawnWords(await readFile(path), 2))[0]!, printed, source }
}

test('A box stays ticked whatever its tick is called', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  const pictures = 6 + NAMES.length
  const states = NAMES.map((name, i) => `/${name} ${pictures + i} 0 R /Off ${pictures + NAMES.length} 0 R`)
  const more = [...NAMES.map((name) => draw(`Ticked ${name} here`)), draw('Not ticked')]
  const places: ((at: string, i: number) => string)[] = [
    (at) => `/AP << /N << ${at} >> >>`,
    (_, i) => `/AP ${pictures + more.length + i} 0 R`,
  ]
  for (const place of places) {
    const fields = NAMES.map((name, i) => ({ says: `/FT /Btn /V /${name} /AS /${name} ${place(states[i]!, i)}` }))
    const { drawn, printed } = await readSealed(
      makeForm(fields, { more: [...more, ...states.map((at) => `<< /N << ${at} >> >>`)] }),
    )
    for (const name of NAMES) {
      for (const text of [drawn, printed]) assert.ok(text.includes(`Ticked ${name} here`), `${name} in ${text}`)
    }
    assert.doesNotMatch(printed, /Not ticked/)
  }
})

test('Glyphs and resources stay whatever they are called', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftoppm')) return
  const glyph = stream('1000 0 0 0 1000 1000 d1 0 0 1000 1000 re f')
  const codes = NAMES.map((_, i) => String.fromCharCode(0x41 + i)).join('')
  const bytes = makeOnePage({
    content: `BT /T3 20 Tf 60 500 Td (${codes}) Tj ET`,
    page: '/Resources << /Font << /T3 6 0 R >> >>',
    more: [
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 ' +
        `/LastChar ${64 + NAMES.length} /Widths [${NAMES.map(() => 1000).join(' ')}] ` +
        `/Encoding << /Type /Encoding /Differences [65 ${NAMES.map((name) => `/${name}`).join(' ')}] >> ` +
        `/CharProcs << ${NAMES.map((name) => `/${name} 7 0 R`).join(' ')} >> >>`,
      glyph,
    ],
  })
  const { path } = await workshop.certify([await workshop.addOriginal(bytes, 'PDF')])
  const { output } = await runJudge('pdftoppm', '-r', '72', '-gray', '-f', '2', '-l', '2', path)
  const page = output.subarray(output.indexOf('\n255\n') + 5)
  const row = page.subarray(595 * (842 - 510) + 60, 595 * (842 - 510) + 60 + 20 * NAMES.length)
  assert.deepEqual(
    NAMES.filter((_, i) => row[20 * i + 10] !== 0),
    [],
  )
  const fonts = NAMES.map((name) => `/${name} 5 0 R`).join(' ')
  const words = NAMES.map((name, i) => `BT /${name} 12 Tf 60 ${700 - 20 * i} Td (In font ${name} here) Tj ET`).join(' ')
  const { printed } = await readSealed(makeOnePage({ content: words, page: `/Resources << /Font << ${fonts} >> >>` }))
  for (const name of NAMES) assert.ok(printed.includes(`In font ${name} here`), name)
})

test('An action does not stay for standing where pictures stand', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  const action = '<< /Type /Action /S /JavaScript /JS (app.alert) >>'
  const link = '<< /Type /Annot /Subtype /Link /Rect [60 100 200 120] /A 8 0 R >>'
  const bytes = makeOnePage({
    page: '/Annots [6 0 R 7 0 R]',
    more: [
      `<< /Type /Annot /Subtype /Widget /FT /Btn /T (a) /F 4 /Rect [60 600 300 620] /AS /On /AP << /N << /On 9 0 R /X 8 0 R >> /D 8 0 R >> >>`,
      link,
      action,
      draw('Ticked'),
    ],
  })
  const { path, prepared } = await workshop.certify([await workshop.addOriginal(bytes, 'PDF')])
  assert.deepEqual(prepared.originals[0]!.removed, ['JavaScript'])
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  assert.ok(!text.includes('app.alert') && !text.includes('/JavaScript'))
  assert.match((await runJudge('pdftotext', '-f', '2', '-l', '2', path, '-')).text, /Ticked/)
})

const READ_OTHERWISE = '/Font << /Helv 5 0 R >> /ExtGState << /GS << /TR2 /Identity /ca 0.5 >> >>'

test('A dictionary that is a list by names in one place and resources in another makes the file kept as pictures', async () => {
  const form = (resources: string): string =>
    stream('BT /Helv 14 Tf (Words) Tj ET', `/Type /XObject /Subtype /Form /BBox [0 0 300 40] /Resources ${resources}`)
  const make = (page: string, inForm: string, ...more: string[]): Buffer =>
    makeOnePage({
      content: '/X Do',
      page: `/Resources << ${page} /XObject << /X 6 0 R >> >>`,
      more: [form(inForm), `<< ${READ_OTHERWISE} >>`, ...more],
    })
  const pictured = { ok: true, type: 'PDF', pages: 1, isPictured: true }
  for (const list of ['Font', 'Properties', 'XObject', 'ExtGState'])
    assert.deepEqual(
      await workshop.inspect(make(list === 'XObject' ? '/Pattern 7 0 R' : `/${list} 7 0 R`, '7 0 R')),
      pictured,
      list,
    )
  const taken = { ok: true, type: 'PDF', pages: 1, isPictured: false }
  const fonts = '<< /Helv 5 0 R /Type 5 0 R >>'
  const state = '<< /ca 0.5 >>'
  const pattern =
    '<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 1] /Function << /FunctionType 2 /Domain [0 1] /N 1 >> >> /ExtGState 9 0 R >>'
  // lists and states are shared as a rule
  const shared = '/Font 8 0 R /ExtGState << /GS 9 0 R >> /Pattern << /P 10 0 R >>'
  assert.deepEqual(await workshop.inspect(make(shared, `<< ${shared} >>`, fonts, state, pattern)), taken)
  assert.deepEqual(await workshop.inspect(make(shared, '7 0 R', fonts, state, pattern)), taken)
})
