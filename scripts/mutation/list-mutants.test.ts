import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyMutant, listMutants } from './list-mutants.ts'

const mutate = (text: string) => listMutants('file.ts', text).map((mutant) => applyMutant(text, mutant))

const FAULTS: { name: string; text: string; faults: string[] }[] = [
  { name: 'a comparison is another', text: 'const is = (a) => a >= b', faults: ['const is = (a) => a > b'] },
  {
    name: 'a condition always holds, or never',
    text: 'if (a) { b = c }',
    faults: ['if (true) { b = c }', 'if (false) { b = c }', 'if (a) { ; }'],
  },
  { name: 'a step is left out', text: 'await forget(id)', faults: [';'] },
  { name: 'a denial is left out', text: 'const is = !a', faults: ['const is = a'] },
  { name: 'a bound is one more', text: 'const MOST = 10', faults: ['const MOST = 11'] },
  {
    name: 'a link of a chain is left out',
    text: "const rows = db.where('id', '=', id).execute()",
    faults: ['const rows = db.execute()'],
  },
  {
    name: 'a refusal has another code',
    text: "const refuse = () => { throw new AppError('forbidden') }",
    faults: ["const refuse = () => { throw new AppError('internal') }"],
  },
  { name: 'some are all', text: 'const is = rows.some(fits)', faults: ['const is = rows.every(fits)'] },
]

for (const { name, text, faults } of FAULTS) test(`a fault: ${name}`, () => assert.deepEqual(mutate(text), faults))

test('types, imports, texts put together, and what stands in for what cannot be missing are left as they are', () => {
  for (const text of [
    "import { a } from './1.ts'",
    'type Width = 1 | 2',
    'let width: 3',
    "const words = 'a' + b",
    'const first = row[i] ?? 0',
    'const first = row[i] ?? -1',
    'const [first = 0, second = true] = row',
    "'use strict'",
  ])
    assert.deepEqual(mutate(text), [], text)
})

test('a file that cannot be parsed is named', () => {
  assert.throws(() => mutate('const = 1'), /file\.ts cannot be parsed/)
})
