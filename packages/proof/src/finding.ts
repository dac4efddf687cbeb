import type { Step, StepCode } from './document-verdict.ts'
import type { ProofErrorCode } from './errors.ts'

/** What a step found; without `code` it passed. */
export interface Finding<T> {
  value?: T
  details?: Step['details']
  state?: 'failed' | 'unknown'
  code?: StepCode | ProofErrorCode
}
