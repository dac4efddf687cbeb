import assert from 'node:assert/strict'
import test from 'node:test'
import { expectWithin } from '../testing/pace.ts'
import { listOddEntries } from './odd-entries.ts'

test('Entries with another generation are told, the last table of the file counts', () => {
  const table = (generation: string): string =>
    `xref\n0 2\n0000000000 65535 f \n0000000015 ${generation} n \ntrailer\n<<>>\n`
  const [first, second] = [table('00003'), table('00000')]
  assert.deepEqual([...listOddEntries(Buffer.from(first))], [[1, { offset: 15, generation: 3, isHybrid: false }]])
  assert.deepEqual([...listOddEntries(Buffer.from(first + second))], [])
  assert.equal(listOddEntries(Buffer.from(second + first)).size, 1)
})

test('A file that begins tables again and again is read once', () => {
  const hostile = Buffer.from(`${'\nxref'.repeat(400_000)}\ntrailer`)
  const began = performance.now()
  assert.equal(listOddEntries(hostile).size, 0)
  expectWithin(performance.now() - began, 1000, 'two megabytes of tables')
})
