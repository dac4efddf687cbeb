import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FACTS } from '../testing/paper-example.ts'
import { comparePrinted, PRINTED_FIELDS, type PrintedField } from './compare-printed.ts'
import { decodePaperClaims, encodePaperClaims } from './paper-claims.ts'
import { formatPrintedTime } from './printed-time.ts'

const claims = decodePaperClaims(encodePaperClaims(FACTS))
// 2026-01-02 03:04:05
const SAME: Record<PrintedField, string[]> = {
  proofId: ['7Q3K-9ZB4-M0XT-C8VN-K', '7q3k 9zb4 moxt c8vn k'],
  title: ['Lease agreement, 14 Rue Cler', '  Lease  agreement,\n14 Rue Cler'],
  username: ['ada.lovelace'],
  organisation: ['Notariat Müller & Søn', 'Notariat Mu\u0308ller & Søn'],
  approvedAt: ['2 January 2026, 03:04 UTC', '2 january 2026', '2026-01-02', '2026-01-02 03:04', '2026-01-02 03:04 UTC'],
  expiresAt: ['2 January 2027, 03:04 UTC', '2027-01-02'],
  pages: ['12'],
}
const OTHER: Record<PrintedField, string[]> = {
  proofId: ['7Q3K-9ZB4-M0XT-C8VN-6', 'x'],
  title: ['Lease agreement, 15 Rue Cler', 'Lease agreement', 'lease agreement, 14 rue cler'],
  username: ['ada.lovelac', 'Ada.Lovelace', 'adà.lovelace', 'аda.lovelace'],
  organisation: ['Notariat Müller'],
  approvedAt: ['1 January 2026', '2026-01-03', '2026-01-02 03:05', 'yesterday'],
  expiresAt: ['No expiry', '2 January 2037'],
  pages: ['13', '12.0', '-12', 'twelve'],
}

for (const field of PRINTED_FIELDS)
  test(`16.5 a printed ${field} that says something else than the code is a mismatch, and nothing typed is not compared`, () => {
    for (const typed of SAME[field]) assert.equal(comparePrinted(field, claims, typed), true, typed)
    for (const typed of OTHER[field]) assert.equal(comparePrinted(field, claims, typed), false, typed)
    for (const typed of ['', '  ']) assert.equal(comparePrinted(field, claims, typed), undefined)
  })

test('16.4 16.5 of a text that was cut the beginning must be the same', () => {
  const cut = decodePaperClaims(
    encodePaperClaims({ ...FACTS, title: 'Deed of gift '.repeat(10), organisation: 'Office '.repeat(20) }),
  )
  for (const field of ['title', 'organisation'] as const) {
    const known = cut[field]
    assert.equal(comparePrinted(field, cut, `${known} and more`), true)
    assert.equal(comparePrinted(field, cut, known.slice(0, -3)), false)
    assert.equal(comparePrinted(field, cut, `No ${known}`), false)
  }
})

test('16.5 where there is no end “No expiry” is printed', () => {
  const endless = { ...claims, expiresAt: null }
  assert.equal(comparePrinted('expiresAt', endless, 'no expiry'), true)
  assert.equal(comparePrinted('expiresAt', endless, formatPrintedTime(0)), false)
})

test('what prints as nothing makes no difference, neither in the code nor in what was typed', () => {
  const INVISIBLE = ['\u200b', '\u200d', '\u200e', '\u200f', '\u00ad', '\u2060', '\u061c', '\ufe0f', '\ufeff', '\u034f']
  for (const sign of INVISIBLE) {
    const told = `U+${sign.codePointAt(0)!.toString(16)}`
    const hidden = {
      ...claims,
      title: `${sign}Lease${sign} agree${sign}ment ${sign} `,
      organisation: `Mu${sign}\u0308ller`,
    }
    assert.equal(comparePrinted('title', hidden, 'Lease agreement'), true, told)
    assert.equal(comparePrinted('title', { ...hidden, isTitleCut: true }, 'Lease agreement, 14 Rue Cler'), true, told)
    assert.equal(comparePrinted('title', { ...claims, title: 'Lease agreement' }, hidden.title), true, told)
    assert.equal(comparePrinted('organisation', hidden, 'Müller'), true, told)
    assert.equal(comparePrinted('username', claims, `ada${sign}.lovelace`), true, told)
    // What shows stays a difference beside it.
    assert.equal(comparePrinted('title', hidden, 'Lease agreements'), false, told)
    assert.equal(comparePrinted('title', hidden, `Lease${sign}agreement`), false, told)
    assert.equal(comparePrinted('organisation', hidden, 'Muller'), false, told)
    assert.equal(comparePrinted('username', claims, `аda${sign}.lovelace`), false, told)
    // A beginning of which nothing shows is that of no text.
    assert.equal(comparePrinted('title', { ...claims, title: sign, isTitleCut: true }, 'Lease'), false, told)
    // Nothing was typed.
    assert.equal(comparePrinted('title', hidden, sign), undefined, told)
  }
})
