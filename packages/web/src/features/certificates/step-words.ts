import type { Step, StepName } from '@proofdesk/proof/document-verdict'
import { m } from '../../paraglide/messages.js'
import { formatTime } from '../../ui/time.tsx'

type Words = (step: Step, organisation: string) => string

const always =
  (say: () => string): Words =>
  () =>
    say()
/** Times in details are seconds since 1970 UTC. */
const timeOf = ({ details }: Step, name: string): string =>
  formatTime(new Date(Number(details[name]) * 1000).toISOString())
const namesOf = ({ details }: Step): string => {
  const all = details['cosignatures'] as { name: string; isIndependent: boolean }[]
  return all
    .filter(({ isIndependent }) => isIndependent)
    .map(({ name }) => name)
    .join(', ')
}

/** What each outcome of a step says. One that is missing is told as not looked at. */
const WORDS: Record<StepName, Partial<Record<Step['state'], Words>>> = {
  seal: { passed: always(m.verify_step_seal_passed), failed: always(m.verify_step_seal_failed) },
  proof: { passed: always(m.verify_step_proof_passed), failed: always(m.verify_step_proof_failed) },
  entry: {
    passed: always(m.verify_step_entry_passed),
    unknown: always(m.verify_step_entry_unknown),
    failed: always(m.verify_step_entry_failed),
  },
  inclusion: {
    passed: ({ details: { index, size } }) =>
      m.verify_step_inclusion_passed({ index: Number(index), size: Number(size) }),
    failed: always(m.verify_step_inclusion_failed),
  },
  checkpoint: {
    passed: (_step, organisation) => m.verify_step_checkpoint_passed({ organisation }),
    failed: always(m.verify_step_checkpoint_failed),
  },
  witnesses: {
    passed: (step) => m.verify_step_witnesses_passed({ names: namesOf(step) }),
    unknown: always(m.verify_step_witnesses_unknown),
  },
  time: {
    passed: (step) => m.verify_step_time_passed({ time: timeOf(step, 'seenAt') }),
    unknown: always(m.verify_step_time_unknown),
    failed: (step) => m.verify_step_time_failed({ time: timeOf(step, 'seenAt') }),
  },
  signer: { passed: always(m.verify_step_signer_passed), failed: always(m.verify_step_signer_failed) },
  expiry: { passed: always(m.verify_step_expiry_passed), failed: always(m.verify_step_expiry_failed) },
  revocation: {
    passed: (step) => m.verify_step_revocation_passed({ time: timeOf(step, 'asOf') }),
    unknown: sayUnknownRevocation,
    failed: (step) => m.verify_step_revocation_failed({ time: timeOf(step, 'asOf') }),
  },
}

/** A list of what is revoked may be there, and still say less than how it is now. */
function sayUnknownRevocation(step: Step): string {
  switch (step.code) {
    case 'status_old':
      return m.verify_step_revocation_old({ time: timeOf(step, 'asOf') })
    case 'status_later': {
      const time = timeOf(step, 'asOf')
      return step.details['isRevoked'] === true
        ? m.verify_step_revocation_later_revoked({ time })
        : m.verify_step_revocation_later({ time })
    }
    case 'status_replayed':
      return m.verify_step_revocation_replayed({ time: timeOf(step, 'asOf') })
    case 'status_ahead':
      return m.verify_step_revocation_ahead({ time: timeOf(step, 'asOf') })
    case 'status_unwitnessed':
      return m.verify_step_revocation_unwitnessed({ time: timeOf(step, 'asOf') })
    case 'status_behind':
      return m.verify_step_revocation_behind({ time: timeOf(step, 'asOf') })
    case 'status_silent':
      return m.verify_step_revocation_silent({ time: timeOf(step, 'asOf') })
    case 'log_consistency':
      return m.verify_step_revocation_contradicted()
    case 'no_status':
      return m.verify_step_revocation_unknown()
    default:
      return m.verify_step_revocation_unusable()
  }
}

/** @returns as of when the list of revocations says that it was not revoked; undefined where it does not say so. */
export function sayUnrevokedAsOf(steps: readonly Step[]): string | undefined {
  const step = steps.find(({ name, state }) => name === 'revocation' && state === 'passed')
  return step && timeOf(step, 'asOf')
}

/** How a step of the check went, in one plain sentence. */
export function sayStep(step: Step, organisation: string): string {
  return WORDS[step.name][step.state]?.(step, organisation) ?? m.verify_step_unknown()
}
