import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  foldText,
  isName,
  isReference,
  isWholeNumber,
  mustArray,
  mustDictionary,
  mustReference,
  type PdfValue,
} from './objects.ts'

const NAME: PdfValue = { kind: 'name', text: 'Sig' }
const REFERENCE: PdfValue = { kind: 'reference', object: 7 }
/** One of each kind. */
const VALUES: (PdfValue | undefined)[] = [
  undefined,
  null,
  true,
  7,
  'Sig',
  NAME,
  REFERENCE,
  [REFERENCE],
  new Map([['kind', NAME]]),
]

test('each kind of value is told from all others', () => {
  const fits = (is: (value: PdfValue | undefined) => boolean) => VALUES.filter(is)
  assert.deepEqual(fits(isReference), [REFERENCE])
  assert.deepEqual(
    fits((value) => isName(value, 'Sig')),
    [NAME],
  )
  assert.deepEqual(
    fits((value) => isName(value, 'sig')),
    [],
  )
  assert.deepEqual(fits(isWholeNumber), [7])
})

test('a whole number is not below zero, not broken, and exact', () => {
  for (const number of [0, 1, 2 ** 53 - 1]) assert.ok(isWholeNumber(number))
  for (const number of [-1, 0.5, NaN, Infinity, 2 ** 53]) assert.ok(!isWholeNumber(number), String(number))
})

test('what must be of a kind is that or refused by the code asked for', () => {
  const array = [REFERENCE]
  const dictionary = new Map<string, PdfValue>([['kind', NAME]])
  assert.equal(mustArray(array, 'seal', 'it'), array)
  assert.equal(mustReference(REFERENCE, 'seal', 'it'), 7)
  assert.equal(mustDictionary(dictionary, ['other', 'kind'], 'seal', 'it'), dictionary)
  const refused = { name: 'ProofError', code: 'seal' }
  for (const value of VALUES) {
    if (!Array.isArray(value)) assert.throws(() => mustArray(value, 'seal', 'it'), refused)
    if (value !== REFERENCE) assert.throws(() => mustReference(value, 'seal', 'it'), refused)
    assert.throws(() => mustDictionary(value, ['Kind'], 'seal', 'it'), refused)
  }
})

test('names are compared as a reader shows them', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1')
  const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('latin1')
  for (const text of [
    'proof.txt',
    '  PROOF.txt\n',
    'pro\u0000of\u007F.txt',
    'pro\u00ADof.txt',
    `\u00FE\u00FF${swapped('Proof.txt')}`,
    `\u00FF\u00FE${utf16('Proof.txt')}`,
    `\u00EF\u00BB\u00BF${Buffer.from('Proof\u200B.txt').toString('latin1')}`,
    `\u00FE\u00FF${swapped('\u001Ben\u001Bproof\u001Bde-DE\u001B.txt')}`,
    `\u00FE\u00FF${swapped('\uFF30roof.txt \u00A0')}`,
  ])
    assert.equal(foldText(text), 'proof.txt', JSON.stringify(text))
  assert.equal(foldText('pro of.txt'), 'pro of.txt')
  assert.equal(foldText('\u00C9t\u00E9'), '\u00E9t\u00E9')
  for (const value of VALUES) if (typeof value !== 'string') assert.equal(foldText(value), '')
})
