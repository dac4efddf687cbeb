import type { Step } from '@proofdesk/proof/document-verdict'
import { Check, CircleHelp, X, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import type { CheckedDocument } from './check-document.ts'
import { sayStep } from './step-words.ts'

/** The words are of the check, not of what it found: sentences such as `It has expired` follow. */
const LOOKS: Record<Step['state'], { Icon: LucideIcon; colour: string; word: () => string }> = {
  passed: { Icon: Check, colour: 'text-ok', word: m.verify_step_state_passed },
  failed: { Icon: X, colour: 'text-seal', word: m.verify_step_state_failed },
  unknown: { Icon: CircleHelp, colour: 'text-ink-2', word: m.verify_step_state_unknown },
}

/** Each step of the check in plain words, in the order in which they were taken. */
export function DocumentSteps({ checked: { report, policy } }: { checked: CheckedDocument }) {
  const reached = report.steps.filter(({ code }) => code !== 'not_reached')
  return (
    <section aria-labelledby="checked-steps" className="mt-6 print:hidden">
      <h3 id="checked-steps" className="font-serif text-lg font-semibold">
        {m.verify_steps_title()}
      </h3>
      <p className="mt-0.5 text-sm text-ink-2 wrap-anywhere">
        {m.verify_steps_text({ fingerprint: policy.fingerprint.slice(0, 16) })}
      </p>
      <ol className="mt-2 divide-y divide-line border-y border-line">
        {reached.map((step) => {
          const { Icon, colour, word } = LOOKS[step.state]
          return (
            <li key={step.name} className="flex gap-2.5 py-2">
              <Icon aria-hidden size={18} className={`mt-0.5 shrink-0 ${colour}`} />
              <span className="sr-only">{word()}:</span>
              <span className="wrap-anywhere">{sayStep(step, policy.organisation)}</span>
            </li>
          )
        })}
      </ol>
      {reached.length < report.steps.length && <p className="mt-2 text-sm text-ink-2">{m.verify_step_unknown()}</p>}
    </section>
  )
}
