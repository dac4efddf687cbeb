import assert from 'node:assert/strict'
import test from 'node:test'
import { openWorkshop } from '../testing/sample-request.ts'
import { lzwZeros } from '../testing/hostile/inflating-data.ts'
import { makeLzwContent } from '../testing/odd-pdfs.ts'
import { needJudge, runJudge } from '../testing.ts'
import { decodeLzw } from './decode-lzw.ts'

test('LZW is unpacked, also where a code is used in the moment it is defined, and up to the fault in damaged data', () => {
  // the example of ISO 32000-2 section 7.4.4.2
  const example = Buffer.from('800b6050220c0c8501', 'hex')
  assert.deepEqual([...decodeLzw(example, 1, 100)!], [45, 45, 45, 45, 45, 65, 45, 45, 45, 66])
  assert.deepEqual([...decodeLzw(example.subarray(0, 4), 1, 100)!], [45, 45, 45])
  assert.equal(decodeLzw(example, 1, 9), undefined)
  const zeros = decodeLzw(lzwZeros(1), 1, 8 << 20)
  assert.equal(zeros?.length, (3838 * 3839) / 2)
  assert.ok(zeros.every((byte) => byte === 0))
  assert.equal(decodeLzw(lzwZeros(2), 1, 8 << 20), undefined)
})

test('Pages whose content is LZW, in one stream or several, keep their words', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const workshop = await openWorkshop()
  t.after(() => workshop.close())
  for (const bytes of [makeLzwContent(1), makeLzwContent(3)]) {
    assert.deepEqual(await workshop.inspect(bytes), { ok: true, type: 'PDF', pages: 1, isPictured: false })
    const { path } = await workshop.prepare([await workshop.addOriginal(bytes, 'PDF')])
    const { text } = await runJudge('pdftotext', '-raw', path, '-')
    assert.match(text, /Line 1 of words/)
    assert.match(text, /Line 6000 of words/)
    assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  }
})

test('A large image among operators is found in LZW too', async (t) => {
  const workshop = await openWorkshop()
  t.after(() => workshop.close())
  const image = 'BI /W 60000 /H 60000 /BPC 1 /CS /G /F /LZW ID x EI '
  assert.deepEqual(await workshop.inspect(makeLzwContent(1, image)), { ok: false, reason: 'image_too_large' })
})
