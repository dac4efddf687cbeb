import { issueReceipt } from '@proofdesk/contract/judged-proof'
import { ReceiptText } from 'lucide-react'
import { wordsOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { saveBlob } from '../../ui/open-file.ts'
import { showToast } from '../../ui/toast.ts'
import type { ProofFields } from './verify-form.tsx'

/** What the instance says of the document now, signed by it, for whoever has to show it later. */
export function SaveReceipt({ proofId, username }: ProofFields) {
  const [busy, run] = useBusy()

  async function save() {
    try {
      const { receipt } = await call(issueReceipt, { body: { proofid: proofId, username } })
      saveBlob(new Blob([receipt], { type: 'text/plain' }), `receipt_${proofId}.txt`)
    } catch (error) {
      showToast(wordsOf(error, m.receipt_failed()), 'error')
    }
  }

  return (
    <Button busy={busy} onClick={() => void run(save)}>
      <ReceiptText aria-hidden size={16} />
      {busy ? m.receipt_saving() : m.receipt_save()}
    </Button>
  )
}
