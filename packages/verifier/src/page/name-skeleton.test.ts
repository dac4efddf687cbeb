import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toNameSkeleton } from './name-skeleton.ts'

const NAME = 'Example University'

test('15.27 names that a reader may take for one another have one skeleton', () => {
  for (const other of [
    'Example University\u200b',
    'Exam\u00adple\u2060 University',
    '\u202eExample University',
    'EXAMPLE  UNIVERSITY',
    'Example\u00a0University.',
    'Example-University',
    'Ехаmрlе Univеrsіtу',
    'ЕХАМРLЕ UNIVERSITY',
    'ΕΧΑΜΡLΕ UNIVERSITY',
    'Examp1e University',
    'ExampIe University',
    'Exarnple University',
    'Ｅｘａｍｐｌｅ University',
    '𝐄𝐱𝐚𝐦𝐩𝐥𝐞 University',
    'Examplé Universiṭy',
  ])
    assert.equal(toNameSkeleton(other), toNameSkeleton(NAME), JSON.stringify(other))
  assert.equal(toNameSkeleton('proofs.exаmple.org/log'), toNameSkeleton('proofs.example.org/log'))
})

test('15.27 names that nobody takes for one another do not', () => {
  const names = [
    NAME,
    'Example Universe',
    'Sample University',
    'Universidad Ejemplo',
    'دانشگاه نمونه',
    '大学',
    '例',
    '★',
    '☆',
  ]
  assert.equal(new Set(names.map(toNameSkeleton)).size, names.length)
})
