import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { makeProofId, readProofId, readProofIdPiece } from './proof-id.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHECKS = `${ALPHABET}*~$=U`

/** The definition once more, with one big number and no shared code. */
function writeFromDefinition(seed: Uint8Array): string {
  const hex = createHash('sha256').update('pid\n').update(seed).digest('hex').slice(0, 20)
  const number = BigInt(`0x${hex}`)
  let rest = number
  let symbols = ''
  for (let i = 0; i < 16; i++) {
    symbols = ALPHABET[Number(rest % 32n)] + symbols
    rest /= 32n
  }
  return `${symbols.match(/.{4}/g)?.join('-')}-${CHECKS[Number(number % 37n)]}`
}

const makeSeed = (n: number) => new Uint8Array(createHash('sha256').update(`seed ${n}`).digest())
const ids = Array.from({ length: 400 }, (_, n) => makeProofId(makeSeed(n)))

test('a Proof ID is the first 80 bits of SHA-256("pid\\n" || seed) in Crockford base 32 with a check symbol', () => {
  assert.equal(makeProofId(new Uint8Array(32)), writeFromDefinition(new Uint8Array(32)))
  for (const [n, id] of ids.entries()) assert.equal(id, writeFromDefinition(makeSeed(n)))
  const checks = new Set(ids.map((id) => id.at(-1)))
  for (const symbol of '*~$=U') assert.ok(checks.has(symbol), `no example with the check symbol ${symbol}`)
})

test('a printed Proof ID reads as itself', () => {
  for (const id of ids) assert.equal(readProofId(id), id)
})

test('reading ignores case, spaces and every kind of dash', () => {
  for (const id of ids.slice(0, 60)) {
    assert.equal(readProofId(id.toLowerCase()), id)
    assert.equal(readProofId(id.replaceAll('-', '')), id)
    assert.equal(readProofId(`  ${id.split('').join(' ')}\n`), id)
    for (const dash of ['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\uFF0D', '\u00AD']) {
      assert.equal(readProofId(id.replaceAll('-', dash)), id)
    }
    assert.equal(readProofId(`\u200E\uFEFF${id.replaceAll('-', '\u00A0')}\u200B`), id)
  }
})

test('reading takes O for 0 and I and L for 1, also in the checking place', () => {
  let seen = 0
  for (const id of ids) {
    if (/[01]$/.test(id)) seen++
    assert.equal(readProofId(id.replaceAll('0', 'O')), id)
    assert.equal(readProofId(id.replaceAll('0', 'o')), id)
    for (const one of 'ILil') assert.equal(readProofId(id.replaceAll('1', one)), id)
  }
  assert.ok(seen > 0)
})

test('U is accepted as check symbol only', () => {
  const id = ids.find((one) => one.endsWith('U'))
  assert.ok(id)
  assert.equal(readProofId(id.toLowerCase()), id)
  for (let i = 0; i < 16; i++) {
    const plain: string = id.replaceAll('-', '')
    for (const check of CHECKS) {
      assert.equal(readProofId(`${plain.slice(0, i)}U${plain.slice(i + 1, 16)}${check}`), undefined)
    }
  }
})

test('one wrong symbol and two neighbours swapped are refused', () => {
  for (const id of ids.slice(0, 40)) {
    const plain: string = id.replaceAll('-', '')
    for (let i = 0; i < 17; i++) {
      const others = i < 16 ? ALPHABET : CHECKS
      for (const symbol of others) {
        if (symbol === plain[i]) continue
        assert.equal(readProofId(plain.slice(0, i) + symbol + plain.slice(i + 1)), undefined)
      }
      if (i < 15 && plain[i] !== plain[i + 1]) {
        assert.equal(readProofId(plain.slice(0, i) + plain[i + 1] + plain[i] + plain.slice(i + 2)), undefined)
      }
    }
  }
})

test('what is no Proof ID reads as undefined and never throws', () => {
  const id = ids[0]!
  const hostile = [
    '',
    ' ',
    '-',
    id.slice(0, -2),
    `${id}0`,
    `0${id}`,
    `${id}${id}`,
    '\u{1F600}'.repeat(17),
    '\0'.repeat(17),
  ]
  hostile.push('\uD800'.repeat(17), 'A'.repeat(10_000_000), '-'.repeat(10_000_000) + id, `${id}\u0301`)
  // letters whose upper case is an ASCII letter
  hostile.push(id.replace(/^./, '\u017F'), id.replace(/^./, '\u0131'), id.replace(/^./, '\uFF10'))
  for (const text of hostile) assert.equal(readProofId(text), undefined)
})

test('a piece of a Proof ID is read as forgivingly as a whole one, from four symbols on', () => {
  for (const [text, symbols] of [
    ['7k3m', '7K3M'],
    [' 7k\u20133m-\u00A0oil0', '7K3M0110'],
    ['*~$=u', '*~$=U'],
    [`7K3M${' '.repeat(196)}`, '7K3M'],
    [ids[0]!, ids[0]!.replaceAll('-', '')],
  ] as const)
    assert.equal(readProofIdPiece(text), symbols)
  for (const text of ['', '7K3', '7-K-3-', '7K3M!', '7K3\u00E9', '%%%%', '____', `7K3M${' '.repeat(197)}`, '\u017FABC'])
    assert.equal(readProofIdPiece(text), undefined, text)
})

test('what is longer than 200 characters is not read', () => {
  const id = ids[0]!
  assert.equal(readProofId(id.padEnd(200)), id)
  assert.equal(readProofId(id.padEnd(201)), undefined)
})
