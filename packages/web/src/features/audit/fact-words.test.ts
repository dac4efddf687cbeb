import { AUDIT_FACTS } from '@proofdesk/contract/audit-actions'
import { expect, test } from 'vitest'
import { sayFacts } from './fact-words.ts'

test('10.19 what an entry tells is said in words, and not as it is stored', () => {
  expect(sayFacts({ submission: 1, named: true, decision: 9 })).toEqual([
    'Submission 1',
    'What was decided on was named by its digest',
    'Decision No. 9',
  ])
  expect(sayFacts({ submission: 2, named: false })).toEqual([
    'Submission 2',
    'On what waited, without naming its digest',
  ])
  expect(sayFacts({ change: 2, reason: 'issued_in_error' })).toEqual([
    'Change 2 of this proof',
    'Reason: Issued in error',
  ])
  expect(sayFacts({ flag: 'is_staff', value: true })).toEqual(['Staff: on'])
  expect(sayFacts({ flag: 'gfa_is_enabled', value: false })).toEqual(['2FA: off'])
  expect(sayFacts({ role: 'user', origin: 'registration' })).toEqual(['Role: ordinary user', 'By registration'])
  expect(sayFacts({ from: '0.1.0', to: '0.2.0' })).toEqual(['From 0.1.0 to 0.2.0'])
  expect(sayFacts({ link: 3, entries: 1 })).toEqual(['Link 3 of the chain', '1 entry'])
  expect(sayFacts({ settings: 'smtpUrl maxUploadMb' })).toEqual(['Settings: smtpUrl, maxUploadMb'])
})

test('10.19 no fact is shown by the name that it is stored under', () => {
  for (const fact of AUDIT_FACTS) {
    const said = sayFacts({ [fact]: 'something' })
    expect(said.every((words) => words !== `${fact}=something` && !words.startsWith(`${fact}: `))).toBe(true)
  }
})

test('what an older version stored, under a name or of a kind that is not known any more, is shown as it is', () => {
  expect(sayFacts({ colour: 'red', way: 'carrier pigeon', reason: 'moved' })).toEqual([
    'colour: red',
    'carrier pigeon',
    'Reason: moved',
  ])
})
