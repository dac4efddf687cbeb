import { renewRecoveryCodes } from '@proofdesk/contract/two-factor'
import { useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'

/** Makes new recovery codes and shows them once. */
export function NewRecoveryCodes() {
  const [codes, setCodes] = useState<string[]>()
  const [busy, run] = useBusy()

  async function renew() {
    const question = { title: m.are_you_sure(), text: m.two_factor_new_codes_text(), action: m.two_factor_new_codes() }
    if (!(await askConfirm(question))) return
    const outcome = await run(() => attempt(call(renewRecoveryCodes, { body: {} })))
    if (outcome?.isDone) return setCodes(outcome.value.recovery_codes)
    if (outcome)
      await showNotice({ title: m.two_factor_new_codes_failed(), text: wordsOf(outcome.error, m.internal()) })
  }

  return (
    <>
      <Button busy={busy} onClick={() => void renew()}>
        {m.two_factor_new_codes()}
      </Button>
      <Dialog
        open={codes !== undefined}
        onClose={() => setCodes(undefined)}
        title={m.recovery_title()}
        description={m.recovery_lead()}
      >
        {codes && <CodeList codes={codes} onClose={() => setCodes(undefined)} />}
      </Dialog>
    </>
  )
}

function CodeList({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <>
      <ul
        aria-label={m.recovery_list()}
        dir="ltr"
        className="mt-4 grid gap-x-6 gap-y-1.5 rounded-control border border-line bg-sunk p-4 font-mono sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="text-[0.933rem] whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton text={codes.join('\n')} label={m.recovery_copy()} />
        <Button kind="brand" onClick={onClose}>
          {m.ok()}
        </Button>
      </DialogActions>
    </>
  )
}
