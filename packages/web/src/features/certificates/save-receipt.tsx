import { issueReceipt } from '@proofdesk/contract/judged-proof'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { saveBlob } from '../../ui/open-file.ts'
import type { ProofFields } from './verify-form.tsx'

/**
 * What the instance says of the document now, signed by it, for whoever has to show it later. A failure takes the row below
 * the buttons: toasts have no place where nobody is signed in.
 */
export function SaveReceipt({ proofId, username }: ProofFields) {
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<string>()

  async function save() {
    setProblem(undefined)
    try {
      const { receipt } = await call(issueReceipt, { body: { proofid: proofId, username } })
      saveBlob(new Blob([receipt], { type: 'text/plain' }), `receipt_${proofId}.txt`)
    } catch (error) {
      setProblem(wordsOf(error, m.receipt_failed()))
    }
  }

  return (
    <>
      <Button busy={busy} onClick={() => void run(save)}>
        <ReceiptText aria-hidden size={16} />
        {busy ? m.receipt_saving() : m.receipt_save()}
      </Button>
      {problem && (
        <div className="basis-full">
          <ErrorBanner>{problem}</ErrorBanner>
        </div>
      )}
    </>
  )
}
