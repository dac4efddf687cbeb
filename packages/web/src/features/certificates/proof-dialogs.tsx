import type { ProofChangeKind } from '@proofdesk/contract/proof-changes'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { Dialog } from '../../ui/dialog.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { ExpiryForm } from './expiry-form.tsx'
import { ReinstateForm } from './reinstate-form.tsx'
import { RevokeForm } from './revoke-form.tsx'
import type { ProofFormProps } from './use-proof-form.ts'

interface Parts {
  title: () => string
  text: (values: { title: string }) => string
  Form: (props: ProofFormProps) => ReactNode
}

const DIALOGS: Record<ProofChangeKind, Parts> = {
  revoke: { title: m.proof_revoke_title, text: m.proof_revoke_text, Form: RevokeForm },
  reinstate: { title: m.proof_reinstate_title, text: m.proof_reinstate_text, Form: ReinstateForm },
  extend: { title: m.proof_expiry_title, text: m.proof_expiry_text, Form: ExpiryForm },
}

/** The dialog of one change to a proof. */
export default function ProofDialogs({ content, opened, onClose }: ProofFormProps & { opened: ProofChangeKind }) {
  const { title, text, Form } = DIALOGS[opened]
  return (
    <Dialog
      open
      onClose={onClose}
      title={title()}
      description={<Sentence say={(place) => text({ title: place })} text={content.collection_title} />}
    >
      <Form content={content} onClose={onClose} />
    </Dialog>
  )
}
