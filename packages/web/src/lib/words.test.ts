import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import english from '../../../contract/messages/en.json'
import { sayIssue } from './words.ts'

const CONTRACT = `${import.meta.dirname}/../../../contract/src`

/** Of a header that the screens write themselves, and nobody types. */
const OF_NO_FORM = ['idempotency-key.ts']

test('every validation message of the contract that a form may meet has words', () => {
  const sources = readdirSync(CONTRACT)
    .filter((file) => file.endsWith('.ts') && !OF_NO_FORM.includes(file))
    .map((file) => readFileSync(`${CONTRACT}/${file}`, 'utf8'))
  const keys = sources.flatMap((source) => [...source.matchAll(/\bsay\('(\w+)'\)/g)].map(([, key = '']) => key))
  expect(keys.length).toBeGreaterThan(20)
  const catalogue: Record<string, unknown> = english
  for (const key of keys) expect(sayIssue(key)).toBe(catalogue[key])
})

test('what is no key is shown as it is', () => {
  expect(sayIssue('Too small')).toBe('Too small')
  expect(sayIssue(undefined)).toBeUndefined()
})
