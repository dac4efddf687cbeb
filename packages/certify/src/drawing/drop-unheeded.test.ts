import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectWithin } from '../testing/pace.ts'
import { dropUnheeded } from './drop-unheeded.ts'

const drop = (content: string): string | undefined => dropUnheeded(Buffer.from(content))?.toString()
const words = (content: string | undefined): string[] => (content ?? '').split(/\s+/).filter((word) => word !== '')

test('a state that was not saved, and a limit of corners below 1, are left out, and nothing else is', () => {
  for (const [content, left] of [
    ['Q 1 w', '1 w'],
    ['q Q Q 1 w', 'q Q 1 w'],
    ['0 M 1 w', '1 w'],
    ['0.5 M 1 w', '1 w'],
    ['.5\0M 1 w', '1 w'],
    ['-3 M 1 w', '1 w'],
    ['+00.9 M 1 w', '1 w'],
  ] as const)
    assert.deepEqual(words(drop(content)), words(left), content)
  for (const content of ['q Q', '1 M', '10 M', '1.5 M', '20 0.5 m', '(0 ) Tj M', ' M', ''])
    assert.equal(drop(content), undefined, content)
})

test('content that is padded is looked through once', () => {
  const begin = performance.now()
  for (const content of [
    ' '.repeat(2_000_000),
    `1${' '.repeat(2_000_000)}`,
    '0 '.repeat(1_000_000),
    '-1'.repeat(500_000),
  ])
    assert.equal(drop(content), undefined)
  expectWithin(performance.now() - begin, 2000, 'looking through padded content')
})
