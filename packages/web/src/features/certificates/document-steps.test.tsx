import type { Step } from '@proofdesk/proof/document-verdict'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DocumentSteps } from './document-steps.tsx'
import type { CheckedDocument } from './check-document.ts'

test.each<[Pick<Step, 'name' | 'state'>, RegExp]>([
  [{ name: 'expiry', state: 'failed' }, /^Failed:It has expired, as it was approved/],
  [{ name: 'seal', state: 'failed' }, /^Failed:The seal does not fit/],
  [{ name: 'witnesses', state: 'unknown' }, /^Undecided:No independent witness has signed it/],
  [{ name: 'expiry', state: 'passed' }, /^Passed:It has not expired/],
])('what is read out before a step is of the check, and denies nothing that it found: %o', (step, words) => {
  const report = { steps: [{ code: 'any', details: {}, ...step }] }
  const policy = { fingerprint: '5d'.repeat(32), organisation: 'Test Registry' }
  const { container } = render(<DocumentSteps checked={{ report, policy } as unknown as CheckedDocument} />)
  expect(container.querySelector('li')?.textContent).toMatch(words)
})
