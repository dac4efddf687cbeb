import assert from 'node:assert/strict'
import test from 'node:test'
import { PdfDict, PdfName, PdfString } from '@libpdf/core'
import { findActiveEntry, findActiveKind } from './active-content.ts'

function judgeAddress(address: string): string | undefined {
  const link = PdfDict.of({ S: PdfName.of('URI'), URI: PdfString.fromString(address) })
  return findActiveKind(link, (object) => object)
}

test('Links to the web, to letters, to calls and relative ones stay', () => {
  for (const address of [
    'https://example.org/a?b=c:d#e',
    'HTTP://example.org',
    'www.example.org/page',
    'mailto:ada@example.org',
    'tel:+442079460000',
    '../chapter 2/index.html',
    'page.html?at=10:30',
    '#section',
    '',
  ])
    assert.equal(judgeAddress(address), undefined, address)
})

test('Links to files, shares, scripts and pages that they carry along are left out, however they are spelled', () => {
  for (const address of [
    'file:///etc/passwd',
    '//server/share',
    String.raw`\\server\share`,
    String.raw`a\b`,
    'data:text/html,<script>',
    'vbscript:x',
    'smb://server/share',
    'ms-word:ofe|u|https://example.org/a.docx',
    ' \n//server/share',
    'fi\tle:///etc/passwd',
  ])
    assert.equal(judgeAddress(address), 'URI', JSON.stringify(address))
  for (const address of ['javascript:x', ' JavaScript:x', 'java\nscript:x', '\u0001javascript:x'])
    assert.equal(judgeAddress(address), 'JavaScript', JSON.stringify(address))
})

test('An address that is no text is left out: some readers take a name for one', () => {
  const link = PdfDict.of({ S: PdfName.of('URI'), URI: PdfName.of('file:///etc/passwd') })
  assert.equal(
    findActiveKind(link, (object) => object),
    'URI',
  )
})

test('Of actions by name those stay that turn pages', () => {
  const judge = (name: string): string | undefined =>
    findActiveKind(PdfDict.of({ S: PdfName.of('Named'), N: PdfName.of(name) }), (object) => object)
  for (const name of ['NextPage', 'PrevPage', 'FirstPage', 'LastPage']) assert.equal(judge(name), undefined, name)
  for (const name of ['Print', 'Quit', 'SaveAs', 'GoBack', 'nextpage']) assert.equal(judge(name), 'Named', name)
})

test('Entries that only share a name with active content stay', () => {
  const resolve = (object: unknown): never => object as never
  // how a border is drawn, the flags of an annotation, what kind of group it is
  assert.equal(findActiveKind(PdfDict.of({ S: PdfName.of('S') }), resolve), undefined)
  assert.equal(findActiveEntry(PdfDict.of({ F: PdfString.fromString('4') }), 'F', resolve), undefined)
  assert.equal(findActiveKind(PdfDict.of({ S: PdfName.of('Transparency') }), resolve), undefined)
})
