import { renewRecoveryCodes } from '@proofdesk/contract/two-factor'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { readPersonId } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { showFreshCodes } from './fresh-codes.ts'

/** Makes new recovery codes, which stand at the top of the profile until they are put away. */
export function NewRecoveryCodes() {
  const [busy, run] = useBusy()

  async function renew() {
    const question = { title: m.are_you_sure(), text: m.two_factor_new_codes_text(), action: m.two_factor_new_codes() }
    if (!(await askConfirm(question))) return
    const personId = readPersonId()
    const outcome = await run(() => attempt(call(renewRecoveryCodes, { body: {} })))
    if (outcome?.isDone) return showFreshCodes(outcome.value.recovery_codes, personId)
    if (outcome)
      await showNotice({ title: m.two_factor_new_codes_failed(), text: wordsOf(outcome.error, m.internal()) })
  }

  return (
    <Button busy={busy} onClick={() => void renew()}>
      {m.two_factor_new_codes()}
    </Button>
  )
}
