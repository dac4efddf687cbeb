import { setTwoFactor } from '@proofdesk/contract/two-factor'
import { PROFILE_DIALOG_MS } from '@proofdesk/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { CircleMinus, ShieldCheck } from 'lucide-react'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { PATHS } from '../../lib/paths.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { NewRecoveryCodes } from './new-recovery-codes.tsx'

/** Whether two-factor is on, and the ways to change that. */
export function TwoFactorSection({ isEnabled, onChanged }: { isEnabled: boolean; onChanged: () => void }) {
  const queryClient = useQueryClient()
  const [busy, run] = useBusy()

  async function disable() {
    const question = { title: m.are_you_sure(), text: m.two_factor_disable_text(), action: m.two_factor_disable() }
    if (!(await askConfirm({ ...question, danger: true }))) return
    const outcome = await run(() => attempt(call(setTwoFactor, { body: { gfa_is_enabled: false } })))
    if (!outcome) return
    if (!outcome.isDone)
      return showNotice({ title: m.two_factor_disable_failed(), text: wordsOf(outcome.error, m.profile_try_again()) })
    // It ends all other sessions.
    void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions })
    onChanged()
    await showNotice({ title: m.two_factor_disabled(), tone: 'success', closeAfterMs: PROFILE_DIALOG_MS })
  }

  return (
    <SectionSheet
      title={m.two_factor_title()}
      mark={
        <Badge tone={isEnabled ? 'ok' : 'muted'} icon={isEnabled ? ShieldCheck : CircleMinus}>
          {isEnabled ? m.two_factor_on() : m.two_factor_off()}
        </Badge>
      }
    >
      <div className="grid gap-4">
        <p className="text-ink-2">{isEnabled ? m.two_factor_section_on() : m.two_factor_section_off()}</p>
        {isEnabled ? (
          <div className="flex flex-wrap gap-2">
            <ButtonLink to={PATHS.twoFactorSetup}>{m.two_factor_other_app()}</ButtonLink>
            <NewRecoveryCodes />
            <Button kind="danger" busy={busy} onClick={() => void disable()}>
              {m.two_factor_disable()}
            </Button>
          </div>
        ) : (
          <ButtonLink to={PATHS.twoFactorSetup} kind="brand" className="justify-self-start">
            {m.two_factor_enable()}
          </ButtonLink>
        )}
      </div>
    </SectionSheet>
  )
}
